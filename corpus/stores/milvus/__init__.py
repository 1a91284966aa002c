"""Search on Milvus: vectors and postings of an index kept by a server, or by Milvus Lite in a file.

`relnotes[milvus]` brings the client; nothing here is imported where an index is searched in its own folder.
"""
