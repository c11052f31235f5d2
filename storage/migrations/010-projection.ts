/**
 * The batch up to which the archive has all rows that follow from the journal alone. Older tables
 * are complete: their batches wrote these rows themselves.
 */
export const PROJECTION = `
create table projection (
  id int primary key check (id = 1),
  batch bigint not null
);
insert into projection (id, batch) select 1, head_batch from world;
`
