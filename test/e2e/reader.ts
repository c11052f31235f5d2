/** Readers: functions that list what a page would miss in a value, and ways to compose them. */

/** Lists what a page would miss in a value. */
export type Reader = (value: unknown, path: string) => string[]

/** Requires a value of a kind. */
export const typed =
  (kind: string, isKind: (value: unknown) => boolean): Reader =>
  (value, path) =>
    isKind(value) ? [] : [`${path} is no ${kind}: ${JSON.stringify(value)?.slice(0, 60)}`]

export const text = typed('text', (value) => typeof value === 'string')
export const number = typed(
  'number',
  (value) => typeof value === 'number' && Number.isFinite(value),
)
export const integer = typed('whole number', (value) => Number.isSafeInteger(value))
export const bool = typed('boolean', (value) => typeof value === 'boolean')
export const time = typed(
  'time',
  (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value),
)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Accepts a missing value. */
export const maybe =
  (reader: Reader): Reader =>
  (value, path) =>
    value === undefined ? [] : reader(value, path)

export const list =
  (reader: Reader): Reader =>
  (value, path) =>
    Array.isArray(value)
      ? value.flatMap((entry, index) => reader(entry, `${path}[${index}]`))
      : [`${path} is no list`]

/** Requires a list with at least one entry, because the test has filled it. */
export const some =
  (reader: Reader): Reader =>
  (value, path) =>
    Array.isArray(value) && value.length === 0 ? [`${path} is empty`] : list(reader)(value, path)

export const map =
  (reader: Reader): Reader =>
  (value, path) =>
    isRecord(value)
      ? Object.entries(value).flatMap(([key, entry]) => reader(entry, `${path}.${key}`))
      : [`${path} is no object`]

export const fields =
  (readers: Readonly<Record<string, Reader>>): Reader =>
  (value, path) =>
    isRecord(value)
      ? Object.entries(readers).flatMap(([name, reader]) => reader(value[name], `${path}.${name}`))
      : [`${path} is no object`]

/** Reads several fields, named in one text, with the same reader. */
export const each = <R extends Reader>(reader: R, names: string): Record<string, R> =>
  Object.fromEntries(names.split(' ').map((name) => [name, reader]))
/** As `each`, for fields that may be missing. */
export const may = (reader: Reader, names: string): Record<string, Reader> =>
  each(maybe(reader), names)
