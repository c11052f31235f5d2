/** A player's own drones by id, or by the names they gave them. */
import { type ReferenceDef, sortNames } from '../../core/reference.ts'
import { Drone } from './columns.ts'
import { droneById, droneId } from './hull-rules.ts'
import { dronesOf } from './squad.ts'

export const ownDrones: ReferenceDef = {
  kind: 'own_drone',
  byId: (view, _player, text) => (droneById(view, text) === 0 ? undefined : text),
  names: (view, player) =>
    sortNames(
      dronesOf(view, player).flatMap((row) => {
        const name = view.texts.get(view.read(Drone).name[row])
        return name === '' ? [] : [{ id: droneId(view, row), name, row }]
      }),
    ),
  unknown: ['drone_not_found'],
}
