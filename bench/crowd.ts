/**
 * The acting players of a prepared world: each logs in and does the work on their card, one
 * mutation per tick. Nothing depends on chance, so nearly all mutations succeed.
 */
import type { Client, Reply } from './client.ts'

const ROLES = ['miner', 'traveller', 'trader', 'docker'] as const
export type Role = (typeof ROLES)[number]

/** What a client needs to know to act as a player of a prepared world. */
export interface Card {
  readonly username: string
  readonly password: string
  readonly role: Role
  /** Where the player is. */
  readonly poiId: string
  /** Another place in the system, for travellers, and for miners once the hold is full. */
  readonly otherPoiId: string
  /** What traders buy and sell. */
  readonly itemId: string
}

/** A player who always has a next mutation to send. */
export interface Actor {
  readonly client: Client
  act(): Promise<Reply>
  /** Returns the same player on a new connection. */
  reconnect(client: Client): Promise<Actor>
}

type Step = (turn: number) => readonly [command: string, params?: Record<string, unknown>]

/** Returns the commands of a role by turn. */
export function stepsOf(card: Card): Step {
  const { role, poiId, otherPoiId, itemId } = card
  switch (role) {
    case 'miner':
      return () => ['mine']
    case 'traveller':
      return (turn) => ['travel', { target_poi: turn % 2 === 0 ? otherPoiId : poiId }]
    case 'trader':
      return (turn) => [turn % 2 === 0 ? 'buy' : 'sell', { item_id: itemId, quantity: 1 }]
    case 'docker':
      return (turn) => [turn % 2 === 0 ? 'undock' : 'dock']
  }
}

/** The refusal of a miner whose hold is full, after which they act as a traveller. */
const HOLD_FULL = 'no_cargo_space'

/** Logs in; rejects if that fails. */
export async function startActor(client: Client, card: Card): Promise<Actor> {
  const { username, password } = card
  const back = await client.call('login', { username, password })
  if (!back.ok) throw new Error(`cannot log in ${username}: ${back.code} ${back.message}`)
  const step = stepsOf(card)
  let turn = 0
  let isFull = false
  return {
    client,
    reconnect: (next) => startActor(next, card),
    async act() {
      const [command, params] = isFull ? stepsOf({ ...card, role: 'traveller' })(turn) : step(turn)
      const reply = await client.call(command, params)
      if (reply.ok) turn += 1
      else if (reply.code === HOLD_FULL) isFull = true
      else if (command !== 'mine') turn += 1
      return reply
    },
  }
}
