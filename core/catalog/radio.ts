/**
 * The messages of crews on the pirate radio, by what has happened. {name} is the speaker, {actor}
 * the subject, {place} the place, {system} the system, {crew} the crew.
 */
import { deepFreeze } from './freeze.ts'

export interface RadioRow {
  /** Wire value of `category`, and of `editorial_class`. */
  readonly category: 'operation' | 'alarm' | 'boast' | 'lament' | 'bulletin'
  /** Jumps within which it is heard. Source: combat.md section 13. */
  readonly jumps: number
  /** Whether the speaker saw it, or only claims it. */
  readonly provenance: 'observed' | 'claimed'
  readonly lines: readonly string[]
}

const NEAR = 3
const FAR = 7

export const RADIO = deepFreeze({
  duel: {
    category: 'operation',
    jumps: NEAR,
    provenance: 'observed',
    lines: [
      '{name} here. One hull at {place}, small enough for me. Nobody else need get up.',
      'Small fry at {place}. Mine. {name}, going in.',
      '{actor} is alone at {place}. I will be polite once.',
    ],
  },
  raid: {
    category: 'operation',
    jumps: FAR,
    provenance: 'observed',
    lines: [
      '{name} to {crew}: a fat one at {place}, {system}. Bring grapnels.',
      'All hands in {system}. {actor} rides low in the water at {place}.',
      'Raid called at {place}. Last one there washes the hold.',
    ],
  },
  mayday: {
    category: 'alarm',
    jumps: NEAR,
    provenance: 'observed',
    lines: [
      '{name}, under fire in {system}! Anyone who ever owed me, now would do.',
      'Somebody bites back in {system}. {name} asks for company.',
      '{actor} opened up on us at {place}. Close in, {crew}.',
    ],
  },
  kill: {
    category: 'boast',
    jumps: NEAR,
    provenance: 'claimed',
    lines: [
      'Strike {actor} from the register. {name} sends regards to the insurers.',
      '{actor} paid in full at {place}.',
      'One less beacon in {system}. It was mine to put out.',
    ],
  },
  plunder: {
    category: 'boast',
    jumps: NEAR,
    provenance: 'claimed',
    lines: [
      '{name} has been shopping in {system}. {actor} was kind enough to carry it.',
      'Hold is full, thank you, {actor}. Same time tomorrow.',
    ],
  },
  lost: {
    category: 'lament',
    jumps: NEAR,
    provenance: 'observed',
    lines: [
      '{name} is off the air. {system} owes us one.',
      'Raise a cup for {name}. {crew} keeps a list, and {actor} is on it.',
      'We lost {name} at {place}. Somebody remember the hull number.',
    ],
  },
  boss_fallen: {
    category: 'lament',
    jumps: FAR,
    provenance: 'observed',
    lines: [
      '{name} is dead. Sit down, all of you, and hold the doors.',
      'They got {name}. The chair is empty, and {crew} has long knives.',
    ],
  },
  boss_returns: {
    category: 'bulletin',
    jumps: FAR,
    provenance: 'claimed',
    lines: [
      'The chair is taken again. {name} speaks for {crew} now.',
      '{system} has a master: {name}. Bring what you owe.',
    ],
  },
  stronghold_attacked: {
    category: 'alarm',
    jumps: FAR,
    provenance: 'observed',
    lines: [
      'Guns up! {place} is under attack. Everyone who eats here fights here.',
      '{actor} has knocked at {place} with cannon. Answer the door, {crew}.',
    ],
  },
  stronghold_wrecked: {
    category: 'lament',
    jumps: FAR,
    provenance: 'observed',
    lines: [
      '{place} is holed through. Market stays open, the rest is dark.',
      'The lamps of {place} are out. {crew} will mend them, and then visit.',
    ],
  },
  stronghold_restored: {
    category: 'bulletin',
    jumps: FAR,
    provenance: 'claimed',
    lines: [
      '{place} holds air again. Come home, {crew}.',
      'Welders paid, lamps lit: {place} is back.',
    ],
  },
} as const satisfies Record<string, RadioRow>)

export type RadioEvent = keyof typeof RADIO
