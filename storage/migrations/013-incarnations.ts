/**
 * Numbers of processes, from which they derive the refs of commands (net/publish/refs.ts). Earlier
 * refs were microseconds of the start; the first number is above those of any such process.
 */
export const INCARNATIONS = `
create sequence incarnation minvalue 8388608 maxvalue 33554431 no cycle;
`
