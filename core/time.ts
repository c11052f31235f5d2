/**
 * Wall time as text, by integer arithmetic: core and systems have no clock and no Date.
 * Times are journalled inputs, in milliseconds since 1970 UTC.
 */
import { divCeil, divFloor } from './math.ts'

export const DAY_MS = 86_400_000
/** Ticks of 10 s in a day. Source: spec, tick length. */
export const DAY_TICKS = 8_640
/** Ticks of an hour. */
export const HOUR_TICKS = 360
/** Ticks of a cycle, at whose end stations produce, pay and are paid. Source: crafting.md, head. */
export const CYCLE_TICKS = 100

/** Returns the day of a tick, counted from the first tick on. */
export const dayOfTick = (tick: number): number => divFloor(tick, DAY_TICKS)

/** Returns the first tick of the day that a tick is in. */
export const dayStartOf = (tick: number): number => dayOfTick(tick) * DAY_TICKS

/** Days of 400 Gregorian years, and from 0000-03-01 to 1970-01-01. */
const ERA_DAYS = 146_097
const EPOCH_DAYS = 719_468

const pad = (n: number, digits: number): string => String(n).padStart(digits, '0')

/**
 * Returns an RFC 3339 time in UTC with milliseconds, as `Date.prototype.toISOString` writes it;
 * years 0000-9999.
 */
export function isoTime(ms: number): string {
  const days = divFloor(ms, DAY_MS)
  const rest = ms - days * DAY_MS
  const [year, month, day] = dateOfDays(days)
  const time = [divFloor(rest, 3_600_000), divFloor(rest, 60_000) % 60, divFloor(rest, 1000) % 60]
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${time
    .map((part) => pad(part, 2))
    .join(':')}.${pad(rest % 1000, 3)}Z`
}

/** Returns a wall time plus `n` microseconds, so that messages of one tick have different times. */
export const feedStamp = (wallMs: number, n: number): string =>
  `${isoTime(wallMs).slice(0, -1)}${String(n % 1000).padStart(3, '0')}Z`

/** Returns the seconds that this many ticks take, rounded up, as refusals give them. */
export const secondsOf = ({ tickMs }: { readonly tickMs: number }, ticks: number): number =>
  divCeil(ticks * tickMs, 1_000)

/** Returns the expected wall time of a tick as text, assuming that ticks keep their length. */
export const tickTime = (
  world: { readonly wallMs: number; readonly tick: number; readonly tickMs: number },
  tick: number,
): string => isoTime(world.wallMs + (tick - world.tick) * world.tickMs)

/** Returns a field with a time; no field for 0, which in columns means that it has not happened. */
export const timeField = <N extends string>(name: N, ms: number): { readonly [K in N]?: string } =>
  (ms === 0 ? {} : { [name]: isoTime(ms) }) as { readonly [K in N]?: string }

/**
 * Returns the year, month and day of a day counted from 1970-01-01. The computation begins years in
 * March, so that leap days come last.
 */
function dateOfDays(daysSinceEpoch: number): [number, number, number] {
  const days = daysSinceEpoch + EPOCH_DAYS
  const era = divFloor(days, ERA_DAYS)
  const dayOfEra = days - era * ERA_DAYS
  const yearOfEra = divFloor(
    dayOfEra - divFloor(dayOfEra, 1460) + divFloor(dayOfEra, 36_524) - divFloor(dayOfEra, 146_096),
    365,
  )
  const leapDays = divFloor(yearOfEra, 4) - divFloor(yearOfEra, 100)
  const dayOfYear = dayOfEra - (365 * yearOfEra + leapDays)
  const shifted = divFloor(5 * dayOfYear + 2, 153)
  const month = shifted < 10 ? shifted + 3 : shifted - 9
  const day = dayOfYear - divFloor(153 * shifted + 2, 5) + 1
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day]
}
