/** Units and credits traded at each exchange, by hour. */
export const PRICES = `
create table price_hour (
  -- first tick of the hour
  tick bigint not null,
  item text not null,
  base text not null,
  units bigint not null,
  credits bigint not null,
  batch bigint not null,
  at timestamptz not null,
  primary key (tick, item, base)
);
create index price_hour_item on price_hour (item, tick);
create index price_hour_batch on price_hour using brin (batch);
`
