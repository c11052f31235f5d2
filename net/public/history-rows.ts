/**
 * Bodies of past public frames: a time series over all of them, one frame, and the steps of single
 * ticks up to the next whole frame. Source: WEB 1.3.
 */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { KeptFrames } from '../../core/archive-calls.ts'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { FRAME_KEPT_TICKS, PUBLIC_WRITES_MAX } from '../../core/limits.ts'
import { MAX_SAFE } from '../../core/math.ts'
import { applyDifference, type Json } from '../../core/public/difference.ts'
import {
  historyBody,
  type MomentBody,
  momentBody,
  type StepsBody,
  stepsBody,
} from '../../core/public/past.ts'
import { namelessBattle } from './nameless.ts'
import { DAY_MS, tickBefore } from './past.ts'
import type { PublicContext, PublicRow, QueryParam } from './row.ts'
import type { PublicState } from './state.ts'

const unzip = promisify(gunzip)

const POINTS_MAX = 720
/** Ticks that a request may span: thirty days of ticks of 0.1 s. */
const SPAN_TICKS_MAX = 26_000_000

/**
 * Returns the ticks per point: a multiple of FRAME_KEPT_TICKS with which the span has at most
 * POINTS_MAX points.
 */
function stepOf(span: number, wanted: number): number {
  const minFrames = Math.ceil(span / (POINTS_MAX - 1) / FRAME_KEPT_TICKS)
  return Math.max(1, minFrames, Math.ceil(wanted / FRAME_KEPT_TICKS)) * FRAME_KEPT_TICKS
}

function listMoments({ tick }: PublicState, { archive, query, about }: PublicContext) {
  const to = Math.min(tick, Number(query.to))
  const requestedFrom = query.from === 0 ? tickBefore(to, DAY_MS, about.tickMs) : Number(query.from)
  const from = Math.max(requestedFrom, to - SPAN_TICKS_MAX)
  const step = stepOf(Math.max(0, to - from), Number(query.step))
  return archive.read({ method: 'publicMoments', args: { from, to, step } })
}

const tickOf = ({ tick }: PublicContext['params']): number =>
  /^\d{1,15}$/.test(tick) ? Number(tick) : MAX_SAFE

/** Time after which no write to the archive is pending any more: none takes longer than 5 s. */
const WRITES_MS_MAX = 5_000 * PUBLIC_WRITES_MAX

/** Returns the last tick before the next whole frame is due. */
const slotEnd = (tick: number): number =>
  (Math.floor(tick / FRAME_KEPT_TICKS) + 1) * FRAME_KEPT_TICKS - 1

const parse = async (body: Uint8Array): Promise<unknown> =>
  JSON.parse((await unzip(body)).toString())

/** A whole frame, or the changes since the previous step. */
type Step = StepsBody['steps'][number]

/**
 * Reads consecutive steps up to a tick; the first is a whole frame. Steps after a gap are left out.
 */
async function readSteps(
  archive: PublicContext['archive'],
  tick: number,
): Promise<Outcome<Step[]>> {
  const outcome = await archive.read({ method: 'publicFrame', args: { tick } })
  if (!outcome.ok) return outcome
  const { frame, steps } = outcome.result as KeptFrames
  const kept = [...(frame ? [{ ...frame, base: null }] : []), ...steps]
  const read: Step[] = []
  for (const { tick: stepTick, base, body } of kept) {
    if (base === null) read.push({ tick: stepTick, frame: (await parse(body)) as MomentBody })
    else if (base === read.at(-1)?.tick) {
      read.push({ tick: stepTick, changes: (await parse(body)) as Record<string, unknown> })
    }
  }
  return read.length === 0 ? fail('not_found') : ok(read)
}

const namelessMoment = (moment: MomentBody): MomentBody => ({
  ...moment,
  battles: moment.battles.map(namelessBattle),
})

/** Fields of a battle that change from tick to tick and name nobody. */
const NAMELESS_CHANGES = ['status', 'category', 'duration_ticks', 'participant_count'] as const

/**
 * Removes names from a change of a list of battles: from new rows, and from changes of known ones.
 */
function namelessRun(run: readonly unknown[]): readonly unknown[] {
  if (run.length === 1) return [namelessBattle(run[0] as never)]
  if (run.length === 2) return run
  const [index, count, changes] = run as [number, number, Record<string, unknown>]
  const kept = NAMELESS_CHANGES.filter((name) => name in changes).map((name) => [
    name,
    changes[name],
  ])
  return [index, count, Object.fromEntries(kept)]
}

/** Removes names from a step, which may date from when names were shown. */
function namelessStep({ tick, frame, changes }: Step): Step {
  if (frame) return { tick, frame: namelessMoment(frame) }
  const runs = changes?.battles as readonly (readonly unknown[])[] | undefined
  return { tick, changes: runs ? { ...changes, battles: runs.map(namelessRun) } : changes }
}

async function readMoment(
  state: PublicState,
  { archive, params, about }: PublicContext,
): Promise<Outcome<unknown>> {
  const tick = tickOf(params)
  if (tick > state.tick) return fail('not_found')
  const outcome = await readSteps(archive, tick)
  if (!outcome.ok) return outcome
  const moment = outcome.result.reduce<Json>(
    (before, { frame, changes }) => (frame ?? applyDifference(before, changes as Json)) as Json,
    undefined,
  ) as unknown as MomentBody
  return ok(about.showsNames ? moment : namelessMoment(moment))
}

async function listSteps(
  state: PublicState,
  { archive, params, about }: PublicContext,
): Promise<Outcome<StepsBody>> {
  const tick = tickOf(params)
  if (tick > state.tick) return fail('not_found')
  const end = slotEnd(tick)
  const outcome = await readSteps(archive, Math.min(end, state.tick))
  if (!outcome.ok) return outcome
  const steps = about.showsNames ? outcome.result : outcome.result.map(namelessStep)
  const complete = (state.tick - end) * about.tickMs > WRITES_MS_MAX
  return ok({ steps, complete })
}

const tickParam = (name: string, about: string, fallback: number): QueryParam => ({
  name,
  about,
  kind: 'int',
  min: 0,
  max: MAX_SAFE,
  fallback,
})

const PATH_TICK = { name: 'tick', about: 'A tick, at most the public one.', example: '48210' }

export const HISTORY_ROWS: readonly PublicRow[] = [
  {
    path: '/api/history',
    operationId: 'getHistory',
    about: `the past in at most ${POINTS_MAX} points: players online, battles, trades, losses`,
    query: [
      tickParam('from', 'First tick; 0: a day before the last.', 0),
      tickParam('to', 'Last tick; at most the public one.', MAX_SAFE),
      tickParam('step', `Ticks per point, in multiples of ${FRAME_KEPT_TICKS}.`, 0),
    ],
    cache: 'M',
    bucket: 'public',
    schema: historyBody,
    source: 'archive',
    body: listMoments,
  },
  {
    path: '/api/history/:tick',
    operationId: 'getPastFrame',
    about: 'the public map at a tick, or the last one stored before it',
    param: PATH_TICK,
    cache: (result, params) => ((result as MomentBody).tick === tickOf(params) ? 'I' : 'T'),
    bucket: 'public',
    schema: momentBody,
    source: 'archive',
    body: readMoment,
  },
  {
    path: '/api/history/:tick/steps',
    operationId: 'getPastSteps',
    about:
      'the public map tick by tick: the whole frame at or before a tick, and the changes up to ' +
      'the next whole frame',
    param: PATH_TICK,
    cache: (result) => ((result as StepsBody).complete ? 'I' : 'T'),
    bucket: 'public',
    schema: stepsBody,
    source: 'archive',
    body: listSteps,
  },
]
