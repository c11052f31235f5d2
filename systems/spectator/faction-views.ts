/** Factions as strangers know them: roster, allies, wars, stations. Source: WEB 1.5. */
import type { FactionEntry, FactionRecord } from '../../core/public/frame.ts'
import { colorText } from '../../core/text-rules.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { earnedBy, emblemOf, OF_FACTIONS } from '../achievement/model.ts'
import { baseId, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { alliesOf, otherSide, pactsOf } from '../diplomacy/model.ts'
import type { Pact } from '../diplomacy/state.ts'
import { factionIdOf, factionName, factionTag, membersOf, roleOf } from '../faction/model.ts'
import { Faction, Membership } from '../faction/state.ts'
import { basesOf } from '../station/model.ts'
import { systemId, systemName } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'
import { isShownBase } from './station-views.ts'

const HOUR_MS = 3_600_000

/** Renders a field with a text; nothing where the text is empty. */
export const textField = <N extends string>(
  name: N,
  text: string,
): { readonly [K in N]?: string } =>
  (text === '' ? {} : { [name]: text }) as { readonly [K in N]?: string }

function renderMember(view: WorldView, player: Eid): FactionEntry['members'][number] {
  const { lastLoginMs, lastCommandMs, createdMs } = view.read(Player)
  const seenMs = Math.max(createdMs[player], lastLoginMs[player], lastCommandMs[player])
  const { name, priority } = roleOf(view, player)
  return {
    username: usernameOf(view, player),
    role: name,
    role_priority: priority,
    joined_at: isoTime(view.read(Membership).joinedMs[player]),
    last_seen: isoTime(seenMs - (seenMs % HOUR_MS)),
  }
}

const enemyOf = (view: WorldView, faction: Row, pact: Pact): Row =>
  view.rowOf(Faction, otherSide(pact, view.read(Faction).seq[faction]))

function renderWar(view: WorldView, faction: Row, pact: Pact): FactionEntry['wars'][number] {
  const enemy = enemyOf(view, faction, pact)
  return {
    enemy: factionIdOf(view, enemy),
    target_name: factionName(view, enemy),
    target_tag: factionTag(view, enemy),
    aggressor: pact.war?.declaredBy === view.read(Faction).seq[faction],
    started_at: isoTime(pact.sinceMs),
    ...textField('reason', pact.war?.reason ?? ''),
  }
}

function renderStation(view: WorldView, base: Eid): FactionEntry['stations'][number] {
  const system = view.read(Poi).system[view.read(Base).poi[base]]
  return {
    id: baseId(view, base),
    name: baseName(view, base),
    system_id: systemId(view, system),
    system_name: systemName(view, system),
  }
}

export function renderShownFaction(view: WorldView, faction: Row): FactionEntry {
  const row = view.read(Faction)
  return {
    id: factionIdOf(view, faction),
    name: factionName(view, faction),
    tag: factionTag(view, faction),
    ...textField('description', view.texts.get(row.description[faction])),
    ...textField('charter', view.texts.get(row.charter[faction])),
    primary_color: colorText(row.primaryColor[faction]),
    secondary_color: colorText(row.secondaryColor[faction]),
    ...textField('emblem', emblemOf(view, faction) ?? ''),
    created_at: isoTime(row.createdMs[faction]),
    ...textField('leader', row.leader[faction] === 0 ? '' : usernameOf(view, row.leader[faction])),
    member_count: row.members[faction],
    members: membersOf(view, faction).map((player) => renderMember(view, player)),
    allies: alliesOf(view, faction).map((ally) => ({
      name: factionName(view, ally),
      tag: factionTag(view, ally),
    })),
    wars: pactsOf(view, faction, 'war').map((pact) => renderWar(view, faction, pact)),
    stations: basesOf(view, faction)
      .filter((base) => isShownBase(view, base))
      .map((base) => renderStation(view, base)),
  }
}

/** Renders the hourly record of a faction. */
export function recordOfFaction(view: WorldView, faction: Row): FactionRecord {
  const number = view.read(Faction).seq[faction]
  const kills = pactsOf(view, faction, 'war').map((pact) => {
    const { fromKills = 0, toKills = 0 } = pact.war ?? {}
    const sides = pact.from === number ? [fromKills, toKills] : [toKills, fromKills]
    return [factionIdOf(view, enemyOf(view, faction, pact)), sides as [number, number]] as const
  })
  return { earned: earnedBy(view, OF_FACTIONS, faction), kills: Object.fromEntries(kills) }
}
