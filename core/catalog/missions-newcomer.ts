/**
 * The missions of new pilots: one chain per empire, in which each step pays for the tool of the
 * next. The steps use the ore that is mined at home, so that none requires anything that is not
 * found there. Source: balance.md section 7.
 */
import { HOUR_TICKS } from '../time.ts'
import { EMPIRE_IDS } from './empires.ts'
import { goodOf } from './goods.ts'
import { LETTERS } from './items-letters.ts'
import type { EmpireId } from './map-types.ts'
import { count, craft, deliver, inEmpire, kill, mine, sell, visit } from './mission-row.ts'
import type { MissionRow, ObjectiveRow } from './mission-types.ts'
import { TEACHERS } from './missions-newcomer-talk.ts'
import { RECIPES } from './recipes.ts'
import { ORES } from './regions.ts'

interface Step {
  readonly objectives: readonly ObjectiveRow[]
  readonly difficulty: number
  readonly credits: number
  readonly items?: Readonly<Record<string, number>>
  readonly provided?: Readonly<Record<string, number>>
  readonly xp: Readonly<Record<string, number>>
}

const TTL_TICKS = 72 * HOUR_TICKS

/** Returns what a furnace makes from an ore without other materials. */
function smeltedOf(ore: string): string {
  const recipe = RECIPES.find(
    ({ category, inputs }) =>
      category === 'refining' && inputs.length === 1 && inputs[0]!.item_id === ore,
  )
  if (!recipe) throw new Error(`nothing is made of ${ore} alone`)
  return recipe.outputs[0]!.item_id
}

const ORDER_TEXT = 'Place an order on an exchange, best for a Shield Booster I or an Armor Plate I.'

const stepsOf = (ore: string, made: string, letter: string): readonly Step[] => [
  {
    objectives: [mine(ore, 10)],
    difficulty: 1,
    credits: 900,
    items: { fuel_cell: 5 },
    xp: { mining: 30 },
  },
  {
    objectives: [sell(ore, 10)],
    difficulty: 1,
    credits: 900,
    items: { mining_laser_i: 1 },
    xp: { trading: 30 },
  },
  { objectives: [craft(made, 2)], difficulty: 1, credits: 900, xp: { trading: 60, refining: 60 } },
  {
    objectives: [{ type: 'place_order', quantity: 1, text: ORDER_TEXT }],
    difficulty: 1,
    credits: 900,
    items: { repair_kit: 2 },
    xp: { shields: 30, armor: 30 },
  },
  {
    objectives: [deliver(letter, 1, 'next')],
    difficulty: 1,
    credits: 900,
    items: { survey_scanner_i: 1 },
    provided: { [letter]: 1 },
    xp: { navigation: 40, piloting: 20 },
  },
  {
    objectives: [visit('next'), visit('next'), count('survey_system', 2)],
    difficulty: 2,
    credits: 900,
    xp: { exploration: 100 },
  },
  {
    objectives: [count('hunt_creature', 1)],
    difficulty: 2,
    credits: 900,
    xp: { xenobiology: 60, weapons: 60 },
  },
  {
    objectives: [count('arena_bout', 1)],
    difficulty: 2,
    credits: 3_000,
    xp: { weapons: 60, piloting: 60 },
  },
  {
    objectives: [kill(1, 'T1')],
    difficulty: 3,
    credits: 2_000,
    xp: { weapons: 90, bounty_hunting: 90 },
  },
]

/** Returns the id of a step, counted from 1. */
export const newPilotStep = (empire: EmpireId, step: number): string =>
  `new_pilot_${empire}_${step}`

/** Number of steps that teach; the one after them is an optional bounty. */
export const NEW_PILOT_STEPS = 8

function chainOf(empire: EmpireId): MissionRow[] {
  const ore = ORES[empire]!.common[0]!
  const made = smeltedOf(ore)
  const { giver, course, steps: lessons } = TEACHERS[empire]
  const say = (text: string): string =>
    text.replaceAll('{ore}', goodOf(ore).name).replaceAll('{made}', goodOf(made).name)
  const steps = stepsOf(ore, made, LETTERS[empire])
  return steps.map((step, index) => {
    const [title, offer, accept, decline, complete] = lessons[index]!
    const number = index + 1
    return {
      template_id: newPilotStep(empire, number),
      title: `${course}: ${title}`,
      type: number > NEW_PILOT_STEPS ? 'bounty' : 'training',
      difficulty: step.difficulty,
      giver,
      dialog: {
        offer: say(offer),
        accept: say(accept),
        decline: say(decline),
        complete: say(complete),
      },
      objectives: step.objectives,
      credits: step.credits,
      creditsPerJump: 0,
      items: step.items ?? {},
      skills: Object.keys(step.xp),
      xp: step.xp,
      requires: index === 0 ? {} : { completed: [newPilotStep(empire, index)] },
      provided: step.provided ?? {},
      repeatable: false,
      ...(number < steps.length ? { chainNext: newPilotStep(empire, number + 1) } : {}),
      ttlTicks: TTL_TICKS,
      issuers: inEmpire(empire),
    }
  })
}

export const NEWCOMER_MISSIONS: readonly MissionRow[] = EMPIRE_IDS.flatMap(chainOf)
