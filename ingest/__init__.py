"""Documents to an index: `ingest.pipeline.build_index(["folder"], index="index")`."""
