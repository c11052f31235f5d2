/** Which empires and factions hold which systems, and who is at war. Source: WEB 1.2. */
import { EMPIRES } from '../../core/catalog/index.ts'
import type { TerritoryBody } from '../../core/public/world.ts'
import { colorText } from '../../core/text-rules.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { PACTS, WAR_NOTICE_TICKS } from '../diplomacy/state.ts'
import { factionTag } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import { stationShipOf } from '../siege/model.ts'
import { isOutpost, ownerOfBase } from '../station/model.ts'
import { systemId } from '../travel/model.ts'
import { Poi, StarSystem } from '../travel/state.ts'
import { isShownBase } from './station-views.ts'

type Holding = TerritoryBody['systems'][string]

interface Claims {
  /** Factions with a station there, by system; the oldest station first. */
  readonly factions: Map<Row, Row[]>
  /** Systems where a station fights. */
  readonly fought: Set<Row>
}

function readClaims(view: WorldView): Claims {
  const { poi } = view.read(Base)
  const { system } = view.read(Poi)
  const claims: Claims = { factions: new Map(), fought: new Set() }
  for (let base = 1; base <= view.highOf(Base); base++) {
    if (!isShownBase(view, base)) continue
    const location = system[poi[base]]
    if (stationShipOf(view, base) !== 0) claims.fought.add(location)
    const owner = ownerOfBase(view, base)
    const known = claims.factions.get(location) ?? []
    if (owner === 0 || isOutpost(view, base) || known.includes(owner)) continue
    claims.factions.set(location, [...known, owner])
  }
  return claims
}

function renderHolding(view: WorldView, system: Row, claims: Claims): Holding | undefined {
  const empire = view.read(StarSystem).empire[system]
  const [faction = 0, ...others] = claims.factions.get(system) ?? []
  if (empire === 0 && faction === 0) return undefined
  const owner = empire === 0 ? undefined : EMPIRES[empire - 1]
  const color = owner?.primary_color ?? colorText(view.read(Faction).primaryColor[faction])
  return {
    ...(owner ? { empire: owner.id } : {}),
    ...(faction === 0 ? {} : { faction_tag: factionTag(view, faction) }),
    color,
    ...(others.length > 0 || claims.fought.has(system) ? { contested: true } : {}),
  }
}

function renderWars(view: WorldView): TerritoryBody['wars'] {
  return [...view.records(PACTS).entries()].flatMap(([, { from, to, war }]) => {
    if (!war) return []
    const [one, other] = [view.rowOf(Faction, from), view.rowOf(Faction, to)]
    return [
      {
        a: factionTag(view, one),
        b: factionTag(view, other),
        since_tick: Math.max(0, war.lawFromTick - WAR_NOTICE_TICKS),
      },
    ]
  })
}

export function renderTerritory(view: WorldView): TerritoryBody {
  const claims = readClaims(view)
  const systems: Record<string, Holding> = {}
  for (let system = 1; system <= view.highOf(StarSystem); system++) {
    const holding = renderHolding(view, system, claims)
    if (holding) systems[systemId(view, system)] = holding
  }
  return { systems, wars: renderWars(view) }
}
