/** How far ids have been given out, whatever happens to the world they were given in. */
export const ID_MARKS = `
alter table world add column id_marks json;
`
