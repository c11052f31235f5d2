/**
 * Systems, places and bases by id and shown name. A place is called by its own name and by that of
 * its base, and either id means it; one that is hidden from the player has no name.
 */
import { type Named, type ReferenceDef, sortNames } from '../../core/reference.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { Base } from '../base/columns.ts'
import { baseById, baseId, baseName } from '../base/rules.ts'
import { seesPoi } from '../sensing/rules.ts'
import { Poi, StarSystem } from './columns.ts'
import { placeNames } from './name-rules.ts'
import { poiById, poiId, poisOf, systemById, systemId, systemName, systemOf } from './rules.ts'

const SYSTEM_NAMES = defineIndex('travel.system-names', () => ({ names: [] as readonly Named[] }))

function systemNames(view: WorldView): readonly Named[] {
  const index = view.index(SYSTEM_NAMES)
  if (index.names.length !== view.countOf(StarSystem)) {
    const { alive } = view.read(StarSystem)
    const rows: Omit<Named, 'key'>[] = []
    for (let row = 1; row <= view.highOf(StarSystem); row++) {
      if (alive[row] === 1) rows.push({ id: systemId(view, row), name: systemName(view, row), row })
    }
    index.names = sortNames(rows)
  }
  return index.names
}

/** Id of the place that is meant by its own id or that of its base. */
function placeIdOf(view: WorldView, player: Eid, text: string): string | undefined {
  if (poiById(view, text) !== 0) return text
  const base = baseById(view, text)
  const poi = view.read(Base).poi[base]
  return base !== 0 && seesPoi(view, player, poi) ? poiId(view, poi) : undefined
}

/** Id of the base that is meant by its own id or that of its place. */
function baseIdOf(view: WorldView, player: Eid, text: string): string | undefined {
  if (baseById(view, text) !== 0) return text
  const poi = poiById(view, text)
  const base = view.read(Poi).base[poi]
  return base !== 0 && seesPoi(view, player, poi) ? baseId(view, base) : undefined
}

/** Names of the places of the system that the player is in. */
function namesHere(view: WorldView, player: Eid): readonly Named[] {
  const { name, base } = view.read(Poi)
  const rows = poisOf(view, systemOf(view, player)).flatMap((row) => {
    const place = { id: poiId(view, row), name: view.texts.get(name[row]), row }
    return base[row] === 0 ? [place] : [place, { ...place, name: baseName(view, base[row]) }]
  })
  return sortNames(rows)
}

const isKnown = seesPoi

export const placeReferences: readonly ReferenceDef[] = [
  {
    kind: 'system',
    byId: (view, _player, text) => (systemById(view, text) === 0 ? undefined : text),
    names: systemNames,
    unknown: ['invalid_system'],
  },
  { kind: 'place_here', byId: placeIdOf, names: namesHere, isKnown, unknown: ['invalid_poi'] },
  {
    kind: 'place',
    byId: placeIdOf,
    names: (view) => placeNames(view).places,
    isKnown,
    unknown: ['invalid_poi'],
  },
  {
    kind: 'base',
    byId: baseIdOf,
    names: (view) => placeNames(view).bases,
    isKnown,
    unknown: ['station_not_found'],
  },
]
