/** Compressed journal rows before the newest snapshots, for replays of past ticks. */
export const JOURNAL_BLOCKS = `
create table journal_block (
  first_batch bigint primary key,
  last_batch bigint not null unique,
  first_tick bigint not null,
  last_tick bigint not null,
  rules_version int not null,
  -- checksums of the chain before its first row and at its last
  before bytea not null,
  checksum bytea not null,
  raw_bytes int not null,
  body bytea not null
);
-- compressed already
alter table journal_block alter column body set storage external;
create index journal_block_tick on journal_block (last_tick);
`
