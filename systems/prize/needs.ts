/** What commands of prizes need, and the moves that meet it. */
import { defineNeed } from '../../core/command.ts'
import { inTransit } from '../travel/location-model.ts'
import { UNDOCKED } from '../travel/needs.ts'
import { REMOTE_ACTIONS, type ServiceAction } from './model.ts'

export interface ServiceParams {
  readonly action: ServiceAction
  readonly prize_id: string
  readonly destination_base_id?: string
  readonly quantity?: number
  readonly item_id?: string
}

export const BESIDE_PRIZE = defineNeed({
  name: 'beside_prize',
  errors: UNDOCKED.errors,
  check: inTransit,
  ensure: (world, player, params) =>
    REMOTE_ACTIONS.has((params as ServiceParams).action)
      ? inTransit(world, player)
      : UNDOCKED.ensure(world, player, params),
})
