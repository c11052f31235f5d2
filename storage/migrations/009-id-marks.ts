/** The highest assigned ids, which a restore of the world does not lower. */
export const ID_MARKS = `
alter table world add column id_marks json;
`
