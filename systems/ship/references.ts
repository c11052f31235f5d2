/** A player's own ships by the names they show: the one given, or that of the class. */
import { type ReferenceDef, sortNames } from '../../core/reference.ts'
import { shipById, shipId, shipName, shipsOf } from './rules.ts'

export const ownShips: ReferenceDef = {
  kind: 'own_ship',
  // any ship: those in a garage of the faction are nobody's own
  byId: (view, _player, text) => (shipById(view, text) === 0 ? undefined : text),
  names: (view, player) =>
    sortNames(
      shipsOf(view, player).map((row) => ({
        ...{ id: shipId(view, row), name: shipName(view, row), row },
      })),
    ),
  unknown: ['ship_not_found'],
}
