/** The right to lead a world that has several processes: one row, timed by the database. */
export const LEASE = `
create table lease (
  one boolean primary key default true check (one),
  -- incarnation of the process that has it; 0: nobody ever had
  holder bigint not null,
  epoch bigint not null,
  expires_at timestamptz not null
);
insert into lease (holder, epoch, expires_at) values (0, 0, '-infinity');
`
