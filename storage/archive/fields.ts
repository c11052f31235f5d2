/** Converts texts and times to a form that SQL can store. */

/** Replaces characters that PostgreSQL cannot store: NUL and lone surrogates. */
export const storableText = (text: string): string => text.replace(/\p{Surrogate}|\0/gu, '\ufffd')

/** Returns a storable text, or null for an absent one. */
export const optionalText = (text: string | undefined): string | null =>
  text === undefined ? null : storableText(text)

/** Formats a time as RFC 3339 with microseconds, as the archive shows its times. */
export const isoFromUs = (us: number): string => {
  const seconds = new Date(Math.floor(us / 1000)).toISOString().slice(0, 19)
  return `${seconds}.${String(us % 1_000_000).padStart(6, '0')}Z`
}
