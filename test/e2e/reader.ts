/** Readers: functions that say what a page would miss in a value. */

/** Lists what a page would miss in a value. */
export type Reader = (value: unknown, at: string) => string[]

export const typed =
  (what: string, is: (value: unknown) => boolean): Reader =>
  (value, at) =>
    is(value) ? [] : [`${at} is no ${what}: ${JSON.stringify(value)?.slice(0, 60)}`]

export const s = typed('text', (value) => typeof value === 'string')
export const n = typed('number', (value) => typeof value === 'number' && Number.isFinite(value))
export const i = typed('whole number', (value) => Number.isSafeInteger(value))
export const b = typed('boolean', (value) => typeof value === 'boolean')
export const t = typed(
  'time',
  (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value),
)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What may be missing. */
export const maybe =
  (reader: Reader): Reader =>
  (value, at) =>
    value === undefined ? [] : reader(value, at)

export const list =
  (reader: Reader): Reader =>
  (value, at) =>
    Array.isArray(value)
      ? value.flatMap((entry, index) => reader(entry, `${at}[${index}]`))
      : [`${at} is no list`]

/** A list that this test has filled. */
export const some =
  (reader: Reader): Reader =>
  (value, at) =>
    Array.isArray(value) && value.length === 0 ? [`${at} is empty`] : list(reader)(value, at)

export const map =
  (reader: Reader): Reader =>
  (value, at) =>
    isRecord(value)
      ? Object.entries(value).flatMap(([key, entry]) => reader(entry, `${at}.${key}`))
      : [`${at} is no object`]

export const fields =
  (readers: Readonly<Record<string, Reader>>): Reader =>
  (value, at) =>
    isRecord(value)
      ? Object.entries(readers).flatMap(([name, reader]) => reader(value[name], `${at}.${name}`))
      : [`${at} is no object`]

export const each = <R extends Reader>(reader: R, names: string): Record<string, R> =>
  Object.fromEntries(names.split(' ').map((name) => [name, reader]))
export const may = (reader: Reader, names: string): Record<string, Reader> =>
  each(maybe(reader), names)
