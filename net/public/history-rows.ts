/**
 * Bodies of what strangers were shown before: the strip of all frames, one frame, and the frames of
 * single ticks up to the next that is kept whole. Source: WEB 1.3.
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
/** Ticks that a question may span: thirty days of ticks of a tenth of a second. */
const SPAN_TICKS_MAX = 26_000_000

/** Steps are whole numbers of frames, as long as it takes for POINTS_MAX of them. */
function stepOf(span: number, wanted: number): number {
  const least = Math.ceil(span / (POINTS_MAX - 1) / FRAME_KEPT_TICKS)
  return Math.max(1, least, Math.ceil(wanted / FRAME_KEPT_TICKS)) * FRAME_KEPT_TICKS
}

function listMoments({ tick }: PublicState, { archive, query, about }: PublicContext) {
  const to = Math.min(tick, Number(query.to))
  const asked = query.from === 0 ? tickBefore(to, DAY_MS, about.tickMs) : Number(query.from)
  const from = Math.max(asked, to - SPAN_TICKS_MAX)
  const step = stepOf(Math.max(0, to - from), Number(query.step))
  return archive.read({ method: 'publicMoments', args: { from, to, step } })
}

const tickOf = ({ tick }: PublicContext['params']): number =>
  /^\d{1,15}$/.test(tick) ? Number(tick) : MAX_SAFE

/** After it nothing is on its way to the archive any more: no write takes longer than 5 s. */
const WRITES_MS_MAX = 5_000 * PUBLIC_WRITES_MAX

/** Returns the last tick before the place of the next whole frame. */
const slotEnd = (tick: number): number =>
  (Math.floor(tick / FRAME_KEPT_TICKS) + 1) * FRAME_KEPT_TICKS - 1

const parse = async (body: Uint8Array): Promise<unknown> =>
  JSON.parse((await unzip(body)).toString())

/** A frame that follows on another, or stands alone. */
type Step = StepsBody['steps'][number]

/**
 * Reads frames that follow on each other up to a tick, the first of them whole. What a gap has cut
 * off is left out.
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
  for (const { tick: at, base, body } of kept) {
    if (base === null) read.push({ tick: at, frame: (await parse(body)) as MomentBody })
    else if (base === read.at(-1)?.tick) {
      read.push({ tick: at, changes: (await parse(body)) as Record<string, unknown> })
    }
  }
  return read.length === 0 ? fail('not_found') : ok(read)
}

const namelessMoment = (moment: MomentBody): MomentBody => ({
  ...moment,
  battles: moment.battles.map(namelessBattle),
})

/** What of a battle changes from tick to tick and names nobody. */
const NAMELESS_CHANGES = ['status', 'category', 'duration_ticks', 'participant_count'] as const

/** Returns what changed of a list of battles without names: new rows, and changes of known ones. */
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

/** Returns a step without names: it may have been kept while they were shown. */
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
      tickParam('step', `Ticks a point, in steps of ${FRAME_KEPT_TICKS}.`, 0),
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
    about: 'the map as strangers were shown it at a tick, or last before it',
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
    about: 'the same tick by tick, up to the next frame kept whole: what each tick changed',
    param: PATH_TICK,
    cache: (result) => ((result as StepsBody).complete ? 'I' : 'T'),
    bucket: 'public',
    schema: stepsBody,
    source: 'archive',
    body: listSteps,
  },
]
