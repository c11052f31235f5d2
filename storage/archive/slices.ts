/** Deletion in slices, so that no statement holds its locks for long. */

/** Rows deleted by a statement. */
export const SLICE_ROWS = 10_000
/** Statements of a sweep: a busy world writes millions of rows a day. */
const SLICES_MAX = 20

/** Repeats a statement that deletes at most `rows` rows, until it finds fewer; returns their sum. */
export async function deleteInSlices(
  deleteRows: (rows: number) => PromiseLike<{ readonly count: number }>,
): Promise<number> {
  let deleted = 0
  for (let slice = 0; slice < SLICES_MAX; slice++) {
    const { count } = await deleteRows(SLICE_ROWS)
    deleted += count
    if (count < SLICE_ROWS) break
  }
  return deleted
}
