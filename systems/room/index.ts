/** Rooms that factions furnish at stations for themselves and their guests. */
import type { DomainDef } from '../../core/registry.ts'
import { factionDeleteRoom, factionRooms, factionVisitRoom, factionWriteRoom } from './commands.ts'
import { rebuildRooms } from './model.ts'
import { Room } from './state.ts'
import { closeRooms, roomsHold } from './systems.ts'

export const roomDomain: DomainDef = {
  name: 'room',
  tables: [Room],
  commands: [factionRooms, factionVisitRoom, factionWriteRoom, factionDeleteRoom],
  checks: [roomsHold],
  observers: [closeRooms],
  rebuild: rebuildRooms,
}
