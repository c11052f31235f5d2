/** Public frames of single ticks, between the whole ones in `public_frame`. */
export const PUBLIC_STEPS = `
create table public_step (
  tick bigint not null,
  -- the earlier tick whose frame it is the difference to; null: the frame is whole
  base bigint,
  bytes int not null,
  -- gzip of JSON
  body bytea not null,
  -- a sweep adds up bytes from the index alone
  primary key (tick) include (bytes)
);
alter table public_step alter column body set storage external;
`
