/** Checks of setting values: each returns what is wrong with a text, or undefined. */

/** Requires a whole number within bounds. */
export const whole = (min: number, max: number) => (text: string) => {
  const value = Number(text)
  if (Number.isInteger(value) && value >= min && value <= max && text.trim() !== '')
    return undefined
  return `must be a whole number from ${min} to ${max}`
}
export const oneOf =
  (...values: string[]) =>
  (text: string) =>
    values.includes(text) ? undefined : `must be one of ${values.join(', ')}`
export const anything = () => undefined
export const url = (text: string) =>
  text === '' || URL.canParse(text) ? undefined : 'must be a URL, or absent'
export const webUrl = (text: string) =>
  text === '' || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
    ? undefined
    : 'must be an http or https URL, or absent'
export const workers = (text: string) =>
  text === 'auto' || whole(0, 64)(text) === undefined
    ? undefined
    : 'must be auto or a whole number from 0 to 64'
export const nonEmpty = (text: string) => (text.trim() === '' ? 'must not be empty' : undefined)
