/**
 * Who is a friend of whom, to drones. Source: drones.md section 3.4: the same faction and its
 * allies; without a faction nobody is.
 */
import type { Eid, WorldView } from '../../core/types.ts'
import { areAllied } from '../account/rules.ts'

export const areFriends = (view: WorldView, one: Eid, other: Eid): boolean =>
  one === other || areAllied(view, one, other)
