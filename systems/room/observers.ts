/** What becomes of rooms when a faction ends. Source: factions.md section 3. */
import { observe } from '../../core/occurrence.ts'
import { disbanded } from '../faction/state.ts'
import { closeRoomsOf } from './rules.ts'

export const closeRooms = observe(disbanded, (world, { faction }) => closeRoomsOf(world, faction))
