/** Bodies of what strangers were shown before: the strip of all frames, and one frame. WEB 1.3. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { fail, type Outcome, ok } from '../../core/errors.ts'
import { FRAME_KEPT_TICKS } from '../../core/limits.ts'
import { MAX_SAFE } from '../../core/math.ts'
import { historyBody, type MomentBody, momentBody } from '../../core/public/past.ts'
import { namelessBattle } from './nameless.ts'
import { DAY_MS, tickBefore } from './past.ts'
import type { PublicContext, PublicRow, QueryParam } from './row.ts'
import type { PublicState } from './state.ts'

const unzip = promisify(gunzip)

const POINTS_MAX = 720
/** Ticks that a question may span: their frames are thirty days' at ticks of a tenth of a second. */
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

async function readMoment(
  state: PublicState,
  { archive, params, about }: PublicContext,
): Promise<Outcome<unknown>> {
  const tick = /^\d{1,15}$/.test(params.tick) ? Number(params.tick) : MAX_SAFE
  if (tick > state.tick) return fail('not_found')
  const outcome = await archive.read({ method: 'publicFrame', args: { tick } })
  if (!outcome.ok) return outcome
  const { body } = outcome.result as { readonly body: Uint8Array }
  const moment = JSON.parse((await unzip(body)).toString()) as MomentBody
  // It may have been kept while names were shown.
  return ok(about.showsNames ? moment : { ...moment, battles: moment.battles.map(namelessBattle) })
}

/** Returns whether a frame is the last of its sixty ticks, whose place no later one can take. */
const isLast = (result: unknown, tick: string): boolean =>
  Math.floor((result as MomentBody).tick / FRAME_KEPT_TICKS) ===
  Math.floor(Number(tick) / FRAME_KEPT_TICKS)

const tickParam = (name: string, about: string, fallback: number): QueryParam => ({
  name,
  about,
  kind: 'int',
  min: 0,
  max: MAX_SAFE,
  fallback,
})

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
    param: { name: 'tick', about: 'A tick, at most the public one.', example: '48210' },
    cache: (result, { tick }) => (isLast(result, tick) ? 'I' : 'T'),
    bucket: 'public',
    schema: momentBody,
    source: 'archive',
    body: readMoment,
  },
]
