-- From where a sink goes on is asked by partition and offset, in a table that is sorted by neither: the newest rows and those
-- of one range are in few granules, and the index leaves out the others.
ALTER TABLE telltale.events ADD INDEX IF NOT EXISTS by_offset (_partition, _offset) TYPE minmax GRANULARITY 1;

-- In the background, for the parts that are there.
ALTER TABLE telltale.events MATERIALIZE INDEX by_offset;
