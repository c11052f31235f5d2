/** Times that clients send: RFC 3339, parsed strictly and without a clock. */
import { divFloor } from '../../core/math.ts'
import { DAY_MS } from '../../core/time.ts'

const RFC3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 && isLeap ? 29 : (MONTH_DAYS[month - 1] ?? 0)
}

/**
 * Returns the day counted from 1970-01-01. Counts years from March on, so that a leap day is the
 * last day of its year.
 */
function dayNumber(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = divFloor(shifted, 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = divFloor(153 * (month > 2 ? month - 3 : month + 9) + 2, 5) + day - 1
  const leapDays = divFloor(yearOfEra, 4) - divFloor(yearOfEra, 100)
  return era * 146_097 + yearOfEra * 365 + leapDays + dayOfYear - 719_468
}

/**
 * Parses an RFC 3339 time: milliseconds since 1970 (digits past the third are cut, never before
 * 1970), or undefined for anything else.
 */
export function parseTime(text: string): number | undefined {
  const found = RFC3339.exec(text)
  if (!found) return undefined
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number)
  const offsetHours = Number(found[9] ?? 0)
  const offsetMinutes = Number(found[10] ?? 0)
  if (day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59) {
    return undefined
  }
  if (offsetHours > 23 || offsetMinutes > 59) return undefined
  const fraction = Number((found[7] ?? '').slice(0, 3).padEnd(3, '0'))
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000 * (found[8] === '-' ? -1 : 1)
  const clock = hour * 3_600_000 + minute * 60_000 + second * 1_000 + fraction
  return Math.max(0, dayNumber(year, month, day) * DAY_MS + clock - offset)
}
