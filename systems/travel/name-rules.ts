/** Names of places and bases, sorted for looking up; listed anew when one came, went or changed. */
import { type Named, sortNames } from '../../core/reference.ts'
import type { WorldView } from '../../core/types.ts'
import { defineIndex } from '../../core/world.ts'
import { baseId, baseName } from '../base/rules.ts'
import { poiId, poiName } from './chart.ts'
import { Poi } from './columns.ts'

interface PlaceNames {
  /** Places by their own names and by those of their bases; rows are of places. */
  readonly places: readonly Named[]
  /** Bases by their own names and by those of their places; rows are of places too. */
  readonly bases: readonly Named[]
}

const PLACE_NAMES = defineIndex('travel.place-names', () => ({
  names: undefined as PlaceNames | undefined,
}))

export const forgetPlaceNames = (view: WorldView): void => {
  view.index(PLACE_NAMES).names = undefined
}

function listNames(view: WorldView): PlaceNames {
  const { alive, base } = view.read(Poi)
  const places: Omit<Named, 'key'>[] = []
  const bases: Omit<Named, 'key'>[] = []
  for (let row = 1; row <= view.highOf(Poi); row++) {
    if (alive[row] === 0) continue
    const place = { id: poiId(view, row), name: poiName(view, row), row }
    places.push(place)
    if (base[row] === 0) continue
    const station = { id: baseId(view, base[row]), name: baseName(view, base[row]), row }
    bases.push(station, { ...station, name: place.name })
    places.push({ ...place, name: station.name })
  }
  return { places: sortNames(places), bases: sortNames(bases) }
}

export function placeNames(view: WorldView): PlaceNames {
  const index = view.index(PLACE_NAMES)
  index.names ??= listNames(view)
  return index.names
}
