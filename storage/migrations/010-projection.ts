/**
 * How far the archive has what follows from the journal alone. Tables of an older form have all of
 * it: their batches wrote it themselves.
 */
export const PROJECTION = `
create table projection (
  id int primary key check (id = 1),
  batch bigint not null
);
insert into projection (id, batch) select 1, head_batch from world;
`
