/** Describes what a battle did to a player in a tick, from its log: every stage of each attack. */
import type { ArchivedTurn } from '../core/archive-calls.ts'
import { brief, plain, shown } from './shown.ts'

/** Why something changed; `kind` says where the reason is recorded. */
export interface Cause {
  readonly kind: 'log' | 'battle' | 'event' | 'other' | 'server' | 'ledger'
  readonly text: string
  readonly data?: unknown
}

type Entry = Readonly<Record<string, unknown>>

/** Names of players and NPCs by the ids that identify them in the log of a battle. */
export type Named = Map<string, string>

/** Lists in a battle's log entry that only repeat what the rows of the ships show. */
const REPEATED = new Set(['snapshots', 'joins'])

const listsOf = (entry: object): [string, readonly Entry[]][] =>
  Object.entries(entry).filter((pair): pair is [string, readonly Entry[]] => Array.isArray(pair[1]))

function learnNames(entry: object, named: Named): void {
  for (const [, list] of listsOf(entry)) {
    for (const { player_id: id, username } of list) {
      if (typeof id === 'string' && typeof username === 'string' && username !== '') {
        named.set(id, username)
      }
    }
  }
}

const isAbout = (entry: Entry, mine: ReadonlySet<string>): boolean =>
  Object.values(entry).some((value) => typeof value === 'string' && mine.has(value.toLowerCase()))

function attackText(entry: Entry, nameOf: (id: unknown) => string): string {
  const head = `${nameOf(entry.attacker_id)} fired at ${nameOf(entry.target_id)}`
  const aim = `chance ${entry.hit_chance} %, roll ${entry.hit_roll}`
  if (entry.hit_success !== true) return `${head}: missed (${aim})`
  const stages = [
    ['raw', entry.raw_damage],
    ['after weapon skill', entry.after_weapon_skill],
    ['before hit', entry.pre_hit_damage],
    ['after stance', entry.after_stance],
    ['after defence', entry.after_def_buff],
    ['after shield resistance', entry.after_shield_resist],
    ['after type resistance', entry.after_type_resist],
    ['final', entry.final_damage],
  ].filter(([, value]) => value !== undefined)
  const damage = stages.map(([name, value]) => `${name} ${value}`).join(', ')
  const kill = entry.killed === true ? '; the ship was destroyed' : ''
  return (
    `${head} with ${entry.damage_type}: hit (${aim}); damage ${damage}; ` +
    `${entry.shield_damage} off the shield, ${entry.hull_damage} off the hull${kill}`
  )
}

/** Returns the entry with known ids replaced by names. */
const withNames = (entry: Entry, named: Named): Entry =>
  Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [
      key,
      (typeof value === 'string' && named.get(value)) || value,
    ]),
  )

function entryText(list: string, entry: Entry, named: Named): string {
  const nameOf = (id: unknown): string => named.get(String(id)) ?? String(id)
  if (list === 'attacks') return attackText(entry, nameOf)
  if (list === 'kills') {
    const { killer_username: killer, victim_username: victim, cause } = entry
    return `${victim || 'a ship'} was destroyed by ${killer || 'nobody'} (${cause})`
  }
  return `${list.replaceAll('_', ' ')}: ${brief(withNames(entry, named))}`
}

/** Lists what happened in the battles of a tick to the owners of these ids, or through them. */
export function battleCauses(
  turns: readonly ArchivedTurn[],
  mine: ReadonlySet<string>,
  named: Named,
): Cause[] {
  return turns.flatMap(({ entry, battle }) => {
    learnNames(entry, named)
    return listsOf(entry)
      .filter(([list]) => !REPEATED.has(list))
      .flatMap(([list, entries]) => entries.map((one) => ({ list, one })))
      .filter(({ one }) => isAbout(one, mine))
      .map(
        ({ list, one }): Cause => ({
          kind: 'battle',
          text: plain(`battle ${battle}: ${entryText(list, one, named)}`),
          data: { list, ...(shown(one) as object) },
        }),
      )
  })
}
