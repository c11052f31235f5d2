/** Preconditions of commands on prizes, with the automatic moves that satisfy them. */
import { defineNeed } from '../../core/command.ts'
import { inTransit } from '../travel/location-model.ts'
import { UNDOCKED } from '../travel/needs.ts'
import { REMOTE_ACTIONS, type ServiceAction } from './model.ts'

/** Parameters of service_prize. */
export interface ServiceParams {
  readonly action: ServiceAction
  readonly prize_id: string
  readonly destination_base_id?: string
  readonly quantity?: number
  readonly item_id?: string
}

/** Undocked, except for actions that work from anywhere: those must only not be in transit. */
export const BESIDE_PRIZE = defineNeed({
  name: 'beside_prize',
  errors: UNDOCKED.errors,
  check: inTransit,
  ensure: (world, player, params) =>
    REMOTE_ACTIONS.has((params as ServiceParams).action)
      ? inTransit(world, player)
      : UNDOCKED.ensure(world, player, params),
})
