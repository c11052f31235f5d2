/** A code of the error table: the sentence a player reads and the HTTP status. */
export interface ErrorEntry {
  readonly status: number
  readonly message: string
}

export const e = (message: string, status = 400): ErrorEntry => ({ message, status })
