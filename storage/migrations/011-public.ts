/**
 * Public data of the past. Older records may include places off the chart, so they are not public:
 * battles until their thirty days are over, prices until there are new ones.
 */
export const PUBLIC = `
create table fill (
  tick bigint not null,
  -- place among the rows of its tick
  n int not null,
  item text not null,
  base text not null,
  -- somebody took what was offered; else somebody sold to who had asked for it
  bought boolean not null,
  -- the station bought; the station sold
  by_station boolean not null,
  from_station boolean not null,
  units bigint not null,
  credits bigint not null,
  trades int not null,
  batch bigint not null,
  at timestamptz not null,
  primary key (tick, n)
);
create index fill_item on fill (item, tick, n);
create index fill_base on fill (base, tick, n);
create index fill_base_item on fill (base, item, tick, n);
create index fill_batch on fill using brin (batch);

-- the same summed up, so that a week is read at once
create table fill_hour (
  -- first tick of the hour
  tick bigint not null,
  item text not null,
  trades bigint not null,
  units bigint not null,
  credits bigint not null,
  -- of it with the station on one side
  npc_trades bigint not null,
  npc_units bigint not null,
  primary key (tick, item)
);

alter table price_hour add column fills int not null default 0;
alter table price_hour add column charted boolean not null default false;
-- days are summed up from these; what was recorded before is not charted and never looked at
create index price_hour_at on price_hour (at) where charted;

-- hours on the chart summed up by day of the wall clock, when the day is over
create table price_day (
  item text not null,
  -- '' stands for all
  base text not null,
  day date not null,
  units bigint not null,
  credits bigint not null,
  fills bigint not null,
  primary key (item, base, day)
);
create index price_day_day on price_day (day);

-- of a battle fought on the chart: its account for strangers, and what it is found by
alter table battle add column told json;
alter table battle add column category text;
alter table battle add column end_tick bigint;
create index battle_told on battle (end_tick, battle) where told is not null;
create index battle_told_category on battle (category, end_tick, battle) where told is not null;
create table battle_name (
  name_key text collate "C" not null,
  battle bigint not null,
  -- of the battle: a search reads nothing but the index
  category text not null,
  end_tick bigint not null,
  batch bigint not null,
  primary key (name_key, battle) include (category, end_tick)
);
create index battle_name_battle on battle_name (battle);

-- ships lost, of battles on the chart
alter table battle_log add column kills int not null default 0;

-- what strangers were shown of every sixtieth tick, and what had happened since the one before
create table public_frame (
  tick bigint primary key,
  at timestamptz not null,
  online int not null,
  battles int not null,
  fills bigint not null,
  kills bigint not null,
  -- gzip of JSON
  body bytea not null
);
alter table public_frame alter column body set storage external;
create index public_frame_at on public_frame (at);

-- names this history of the world: what was told of its past holds while it stays the same
alter table world add column epoch text not null
  default substr(md5(clock_timestamp()::text || random()::text), 1, 12);
`
