/**
 * Checks the frames that one participant of a battle receives: reads id and tick of each
 * battle_update from the raw frame, and notices when one is missing, duplicated or out of order.
 * Only some frames are parsed, since a tick of a battle of 1,000 is 200 MB.
 */
import { asParams, type Params } from './client.ts'

/** One in this many frames of a watch is parsed. */
const PARSED_EVERY = 50
const START = Buffer.from('{"type":"battle_update"')
/** Id and tick are within this many bytes of the beginning or the end. */
const HEAD_BYTES = 512
const BATTLE = /"battle_id":"([^"]+)"/
const TICK = /"tick":(\d+)/

export interface BattleWatch {
  /** Handles a message if it is a battle_update; returns whether it was. */
  take(message: Buffer): boolean
  readonly frames: number
  readonly bytes: number
  readonly parsed: number
  readonly battle: string | undefined
  readonly firstTick: number
  readonly lastTick: number
  /** The first fault found. */
  readonly fault: string | undefined
  /** The payload of the last parsed frame. */
  readonly payload: Params
}

function find(pattern: RegExp, message: Buffer): string | undefined {
  const end = Math.max(0, message.length - HEAD_BYTES)
  const found =
    pattern.exec(message.toString('latin1', 0, HEAD_BYTES)) ??
    pattern.exec(message.toString('latin1', end))
  return found?.[1]
}

/** Describes what is wrong in a parsed frame with this id and tick; undefined if nothing is. */
function payloadFault(payload: Params, battle: string, tick: number): string | undefined {
  const { participants, sides } = payload
  if (payload.battle_id !== battle || payload.tick !== tick) return 'head and payload differ'
  if (!Array.isArray(participants) || !Array.isArray(sides)) return 'no participants or sides'
  const counted = sides.reduce((sum: number, side: Params) => sum + Number(side.player_count), 0)
  const all = new Set(participants.map((entry: Params) => entry.player_id))
  if (counted !== participants.length) return `${counted} of ${participants.length} on sides`
  if (all.size !== participants.length) return 'a participant is listed twice'
  return undefined
}

/** Watches the frames of a battle; `offset` spreads over watches which frames are parsed. */
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
    if ((watch.frames + offset) % PARSED_EVERY !== 0) return undefined
    watch.parsed += 1
    watch.payload = asParams((JSON.parse(String(message)) as { payload?: unknown }).payload)
    return payloadFault(watch.payload, battle, tick)
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
