"""Search on Milvus: vectors and postings of an index stored by a server, or by Milvus Lite in a file.

`relnotes[milvus]` installs the client; nothing here is imported if an index is searched in its own folder.
"""
