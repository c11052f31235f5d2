/** Stations on the chart: condition, defences, services, and their public facilities. */
import { EMPIRES } from '../../core/catalog/index.ts'
import type { ShownFacility, StationEntry } from '../../core/public/frame.ts'
import { colorText } from '../../core/text-rules.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { baseId, baseName, empireOfBase, workingServices } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { renderCondition } from '../base/views.ts'
import {
  facilitiesAt,
  facilityId,
  facilityName,
  facilityTypeAt,
  isRunning,
  shownType,
} from '../facility/model.ts'
import { Facility, OF_STATION, PUBLIC } from '../facility/state.ts'
import { factionIdOf, factionName, factionTag } from '../faction/model.ts'
import { Faction } from '../faction/state.ts'
import { strangerSeesPlace } from '../sensing/model.ts'
import { isOutpost, ownerOfBase } from '../station/model.ts'
import { Station } from '../station/state.ts'
import { systemId, systemName } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'

/** Returns whether strangers know of a station. */
export const isShownBase = (view: WorldView, base: Eid): boolean => {
  const { alive, poi } = view.read(Base)
  return alive[base] === 1 && strangerSeesPlace(view, poi[base])
}

/** Returns facilities that anybody may use, and those of the station itself. */
const publicFacilities = (view: WorldView, base: Eid): Row[] => {
  const { ownerKind, access } = view.read(Facility)
  return facilitiesAt(view, base).filter(
    (row) => ownerKind[row] === OF_STATION || access[row] === PUBLIC,
  )
}

function renderFacility(view: WorldView, row: Row): ShownFacility {
  const type = shownType(view, row, 0)
  const { missed, description, name } = view.read(Facility)
  const said = view.texts.get(description[row])
  // A name or description that the owner wrote would give a disguised facility away.
  const isNamed = !facilityTypeAt(view, row).disguised
  return {
    id: facilityId(view, row),
    type: type.id,
    ...(isNamed && name[row] !== 0 ? { name: facilityName(view, row) } : {}),
    ...(isNamed && said !== '' ? { said } : {}),
    isMaintained: missed[row] === 0,
    isActive: isRunning(view, row),
  }
}

function renderOwner(view: WorldView, base: Eid): Partial<StationEntry> {
  const faction = ownerOfBase(view, base)
  if (faction === 0) return {}
  return {
    faction_id: factionIdOf(view, faction),
    faction_name: factionName(view, faction),
    faction_tag: factionTag(view, faction),
    faction_color: colorText(view.read(Faction).primaryColor[faction]),
  }
}

/** Returns whether everyone who is not banned may dock. */
const isOpen = (view: WorldView, base: Eid): boolean =>
  ownerOfBase(view, base) === 0
    ? view.read(Base).pirateRepRequired[base] === 0
    : view.read(Station).open[base] === 1

export function renderShownStation(view: WorldView, base: Eid): StationEntry {
  const row = view.read(Base)
  const system = view.read(Poi).system[row.poi[base]]
  const { condition, condition_text, satisfaction_pct } = renderCondition(view, base)
  const empire = EMPIRES[empireOfBase(view, base)]
  const facilities = publicFacilities(view, base)
  return {
    id: baseId(view, base),
    type: isOutpost(view, base) ? 'outpost' : 'station',
    name: baseName(view, base),
    description: view.texts.get(row.description[base]),
    empire: empire?.id ?? '',
    empire_name: empire?.name ?? '',
    ...renderOwner(view, base),
    system_id: systemId(view, system),
    system_name: systemName(view, system),
    services: workingServices(view, base),
    condition,
    condition_text,
    satisfaction_pct,
    facility_count: facilities.length,
    weapon_dps: row.weaponDamage[base],
    wrecked: row.hull[base] === 0,
    hull: row.hull[base],
    max_hull: row.hullMax[base],
    shield: row.shield[base],
    max_shield: row.shieldMax[base],
    armor: row.armor[base],
    weapon_reach: row.weaponReach[base],
    public_access: isOpen(view, base),
    facilities: facilities.map((facility) => renderFacility(view, facility)),
  }
}
