/** How far ids have been given out, whatever becomes of the world they were given in. */
export const ID_MARKS = `
alter table world add column id_marks json;
`
