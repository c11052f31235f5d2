/**
 * What one participant of a battle sees of it: id and tick of each battle_update, read from the raw
 * frame, and whether one is missing, doubled or out of order. Only some frames are parsed: a tick
 * of a battle of 1,000 is 200 MB.
 */
import { asParams, type Params } from './client.ts'

/** Frames of a watch that are parsed whole: one in this many. */
const PARSED_OF = 50
const START = Buffer.from('{"type":"battle_update"')
/** Id and tick come before or after the list of participants. */
const HEAD_BYTES = 512
const BATTLE = /"battle_id":"([^"]+)"/
const TICK = /"tick":(\d+)/

export interface BattleWatch {
  /** Takes the message if it is a battle_update. */
  take(message: Buffer): boolean
  readonly frames: number
  readonly bytes: number
  readonly parsed: number
  readonly battle: string | undefined
  readonly firstTick: number
  readonly lastTick: number
  /** What was wrong, the first of it. */
  readonly fault: string | undefined
  /** The payload that was parsed last. */
  readonly payload: Params
}

function find(pattern: RegExp, message: Buffer): string | undefined {
  const end = Math.max(0, message.length - HEAD_BYTES)
  const found =
    pattern.exec(message.toString('latin1', 0, HEAD_BYTES)) ??
    pattern.exec(message.toString('latin1', end))
  return found?.[1]
}

/** Returns what a whole frame must say, given what its head said; undefined when it does. */
function wrongIn(payload: Params, battle: string, tick: number): string | undefined {
  const { participants, sides } = payload
  if (payload.battle_id !== battle || payload.tick !== tick) return 'head and payload differ'
  if (!Array.isArray(participants) || !Array.isArray(sides)) return 'no participants or sides'
  const counted = sides.reduce((sum: number, side: Params) => sum + Number(side.player_count), 0)
  const all = new Set(participants.map((entry: Params) => entry.player_id))
  if (counted !== participants.length) return `${counted} of ${participants.length} on sides`
  if (all.size !== participants.length) return 'a participant is listed twice'
  return undefined
}

/** Watches frames of a battle; `offset` chooses which are parsed, so that watches take turns. */
export function watchBattle(offset: number): BattleWatch {
  const watch = {
    frames: 0,
    bytes: 0,
    parsed: 0,
    battle: undefined as string | undefined,
    firstTick: 0,
    lastTick: 0,
    fault: undefined as string | undefined,
    payload: {} as Params,
  }
  const check = (message: Buffer): string | undefined => {
    const battle = find(BATTLE, message)
    const tick = Number(find(TICK, message))
    if (battle === undefined || !Number.isInteger(tick)) return 'a frame without id or tick'
    watch.battle ??= battle
    if (battle !== watch.battle) return `${battle} after ${watch.battle}`
    if (watch.frames === 0) watch.firstTick = tick
    else if (tick !== watch.lastTick + 1) return `tick ${tick} after ${watch.lastTick}`
    watch.lastTick = tick
    if ((watch.frames + offset) % PARSED_OF !== 0) return undefined
    watch.parsed += 1
    watch.payload = asParams((JSON.parse(String(message)) as { payload?: unknown }).payload)
    return wrongIn(watch.payload, battle, tick)
  }
  return Object.assign(watch, {
    take(message: Buffer): boolean {
      if (!message.subarray(0, START.length).equals(START)) return false
      const fault = check(message)
      watch.fault ??= fault
      watch.frames += 1
      watch.bytes += message.length
      return true
    },
  })
}
