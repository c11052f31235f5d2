/**
 * Removes names from battles and the feed where the server shows none (SPECTATOR_NAMES=off): ships
 * and their actions stay, nothing that identifies a pilot. Applied to frames before anything is
 * derived from them, and to answers of the archive before they are sent.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { FeedMessage } from '../../core/public/events.ts'
import type { PublicFrame } from '../../core/public/frame.ts'
import type { BattleLogBody, BattleSummary } from '../../core/public/past.ts'

/* Ids: masked, as pilots and ships have the same ones in other battles and in the game itself */

const SECRET = randomBytes(32)
const DIGITS = 32
const MASKS_MAX = 50_000
const masks = new Map<string, string>()

/** Returns a pseudonym for an id within one battle; it is stable while this process runs. */
function maskOf(battle: string, id: string): string {
  if (id === '') return ''
  const key = `${battle} ${id}`
  let mask = masks.get(key)
  if (mask === undefined) {
    if (masks.size >= MASKS_MAX) masks.clear()
    mask = createHmac('sha256', SECRET).update(key).digest('hex').slice(0, DIGITS)
    masks.set(key, mask)
  }
  return mask
}

/* Battles */

/** Returns the summary of a battle without its participants. */
export function namelessBattle(battle: BattleSummary): BattleSummary {
  const { player_names: _, destroyed_names: __, top_damage: ___, ...rest } = battle
  return {
    ...rest,
    sides: battle.sides.map(({ side_id }) => ({ side_id })),
    captures: battle.captures.map(({ tick, ship_class }) => ({
      tick,
      ...(ship_class === undefined ? {} : { ship_class }),
    })),
  }
}

/** Text fields of a log row that do not identify anybody; any other text is masked. */
const KEPT: ReadonlySet<string> = new Set([
  'battle_id',
  'system_id',
  'command',
  'stance',
  'reason',
  'old_zone',
  'new_zone',
  'zone',
  'damage_type',
  'name',
  'category',
  'ammo_used',
  'loaded_ammo',
  'cause',
  'event',
  'outcome',
  'kind',
  'ship_class',
  'former_owner_kind',
  'captor_kind',
])
const NAMES = /username$/

/**
 * Returns a part of a battle log without names. Lists of texts are lists of names and are emptied.
 */
function maskLog(battle: string, value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    if (KEPT.has(key)) return value
    return NAMES.test(key) ? '' : maskOf(battle, value)
  }
  if (Array.isArray(value)) {
    return value.filter((entry) => typeof entry !== 'string').map((entry) => maskLog(battle, entry))
  }
  if (typeof value !== 'object' || value === null) return value
  // Copies the row and visits only texts and lists: most fields are numbers.
  const masked: Record<string, unknown> = { ...value }
  for (const name in masked) {
    const entry = masked[name]
    if (typeof entry === 'string' || typeof entry === 'object')
      masked[name] = maskLog(battle, entry, name)
  }
  return masked
}

/** Removes names from a battle log. */
export const namelessLog = (body: BattleLogBody): BattleLogBody => ({
  ...body,
  entries: body.entries.map((row) => maskLog(body.battle_id, row)) as BattleLogBody['entries'],
})

type Turn = PublicFrame['turns'][number]

const namelessTurn = ({ ships, ...turn }: Turn): Turn => ({
  ...turn,
  ...(ships && {
    ships: ships.map((ship) => ({ ...ship, id: maskOf(turn.battle_id, ship.id), name: '' })),
  }),
  kills: turn.kills.map(({ cause }) => ({ killer: '', victim: '', cause })),
})

/* The feed */

/** Types that reveal who is where, or who fights whom. */
const ABOUT_PILOTS: ReadonlySet<FeedMessage['type']> = new Set([
  'jump',
  'system_activity',
  'player_destroyed',
  'pirate_destroyed',
  'base_constructed',
  'combat',
])

/** Removes the pilot from an event; returns undefined if nothing is left. */
function namelessEvent(event: FeedMessage): FeedMessage | undefined {
  if (ABOUT_PILOTS.has(event.type)) return undefined
  if (event.type !== 'base_destroyed') return event
  const { player_info: _, ...rest } = event
  const { base_name } = event.data as FeedMessage<'base_destroyed'>['data']
  return { ...rest, data: { base_name } }
}

/** Removes names from a public frame. */
export const namelessFrame = (frame: PublicFrame): PublicFrame => ({
  ...frame,
  battles: frame.battles.map(namelessBattle),
  turns: frame.turns.map(namelessTurn),
  events: frame.events.flatMap((event) => namelessEvent(event) ?? []),
})
