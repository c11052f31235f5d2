/**
 * Numbers of processes, of which they make the refs of commands (net/publish/refs.ts). Refs were
 * microseconds of the start before: the first number lies above those of any such process.
 */
export const INCARNATIONS = `
create sequence incarnation minvalue 8388608 maxvalue 33554431 no cycle;
`
