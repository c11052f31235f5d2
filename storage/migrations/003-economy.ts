/** Balances of every source and sink of credits and goods at the end of each day. */
export const ECONOMY = `
create table closed_books (
  tick bigint primary key,
  credits json not null,
  goods json not null,
  batch bigint not null,
  at timestamptz not null
);
`
