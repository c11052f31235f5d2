/** Who hears what happens to a facility: its owner's log, or the log and members of his faction. */
import type { Eid, Row, World } from '../../core/types.ts'
import { baseId } from '../base/rules.ts'
import { Faction } from '../faction/columns.ts'
import { tellFaction } from '../faction/news-rules.ts'
import { noteFactionLog } from '../faction/rules.ts'
import { logAction } from '../log/rules.ts'
import { Facility, OF_FACTION, OF_PLAYER } from './columns.ts'
import { ownerOf } from './owners.ts'
import { facilityId } from './rules.ts'
import type { Owner } from './store.ts'

/** Logs what a player has done with a facility. */
export function tellFacility(
  world: World,
  row: Row,
  actor: Eid,
  verb: string,
  summary: string,
): void {
  const data = { facility_id: facilityId(world, row), base: world.read(Facility).base[row] }
  const owner = ownerOf(world, row)
  logAction(world, actor, 'other', verb.replace('_', '.'), summary, data)
  if (owner.kind === OF_FACTION)
    noteFactionLog(world, owner.faction, actor, { verb, summary, data })
}

/** What members hear of as an event; the rest stands in the log alone. */
const NEWS = {
  built: 'facility_built',
  upgraded: 'facility_upgraded',
  dismantled: 'facility_dismantled',
  reclaimed: 'facility_reclaimed',
} as const
export type Happening = keyof typeof NEWS | 'repaired' | 'returned' | 'rent_warning'

const isNews = (verb: string): verb is keyof typeof NEWS => verb in NEWS

/**
 * Tells the owner what has come about by itself. For a faction it stands in the name of its leader,
 * for nobody did it.
 */
export function tellOwner(
  world: World,
  owner: Owner,
  { verb, base, said }: { readonly verb: Happening; readonly base: Row; readonly said: string },
): void {
  if (owner.kind === OF_PLAYER) {
    logAction(world, owner.player, 'other', `facility.${verb}`, said)
  } else if (owner.kind === OF_FACTION) {
    const actor = world.read(Faction).leader[owner.faction]
    if (isNews(verb)) {
      const more = { base_id: baseId(world, base) }
      tellFaction(world, owner.faction, { event: NEWS[verb], actor, message: said, more })
    } else noteFactionLog(world, owner.faction, actor, { verb: `facility_${verb}`, summary: said })
  }
}
