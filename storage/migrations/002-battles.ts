/** The battle log, and the summaries of battles that are over. */
export const BATTLES = `
create table battle_log (
  battle bigint not null,
  tick bigint not null,
  -- json, not jsonb: kept as written
  entry json not null,
  batch bigint not null,
  at timestamptz not null,
  primary key (battle, tick)
);
create index battle_log_batch on battle_log using brin (batch);
create index battle_log_at on battle_log using brin (at);

create table battle (
  battle bigint primary key,
  summary json not null,
  batch bigint not null,
  at timestamptz not null
);
create index battle_batch on battle (batch);
create index battle_at on battle (at);
`
