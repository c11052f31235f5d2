/** What a listener brings home, in words. Source: factions.md section 6, espionage. */
import { divFloor } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import type { WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { usernameOf } from '../account/rules.ts'
import { Faction } from '../faction/columns.ts'
import { factionTag } from '../faction/rules.ts'
import { FACT_KINDS, type Fact, type FactKind } from './columns.ts'

const SOURCES: Readonly<Record<FactKind, readonly string[]>> = {
  ship_order: [
    'A yard clerk who drinks alone was glad of the company. {who} {when} put {sum} credits down here for one {what}.',
    'The ink on the slip was still wet enough to read upside down: one {what}, {sum} credits, ordered {when} by {who}.',
  ],
  construction: [
    'A welder complained about her shifts, and at whose expense. {who} {when} had {sum} credits of work begun here: {what}.',
    'Somebody left a site plan on the tram. It shows a {what}, begun {when} by {who}, for {sum} credits.',
  ],
  purchase: [
    'The dockers remember what breaks their backs. {who} {when} carried off {what}, {sum} credits in all.',
    'A broker whistled while he counted. {sum} credits from {who}, {when}, for {what}.',
  ],
}

const NOTHING: readonly string[] = [
  'Four hours of a card game, and nobody lost their temper. Nothing to report.',
  'The microphone works. It has recorded a pump, a second pump, and a man who hums.',
  'Your contact sends regards, a cold, and no news.',
  'The waste bins of the harbour office held fish bones and an apology. Not to you.',
  'Everybody was discreet today. It made the room very quiet.',
]

const SPOTTED: readonly string[] = [
  'The waiter put down a glass you had not ordered. Under it lay a photograph of you.',
  'Two people followed you home, and wanted you to know it.',
  'The umbrella you left for repair came back with your real name on the ticket.',
  'A child asked, loudly, why you had been reading the same page for an hour.',
]

const LEFT: readonly string[] = [
  'You were gone before your contact came. The chair was still warm.',
  'The message arrived at an empty table.',
]

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

/** Who did it, as a listener learns it: those who do not show their name are not named. */
function whoOf(view: WorldView, fact: Fact): string {
  const player = view.rowOf(Player, fact.by)
  if (fact.isUnnamed || player === 0) return 'somebody who left no name'
  const faction = fact.faction === 0 ? 0 : view.rowOf(Faction, fact.faction)
  const tag = faction === 0 ? '' : ` [${factionTag(view, faction)}]`
  return `${usernameOf(view, player)}${tag}`
}

function whenOf(view: WorldView, { tick }: Fact): string {
  const hours = divFloor(view.tick - tick, HOUR_TICKS)
  if (hours === 0) return 'within the hour'
  return hours === 1 ? 'an hour ago' : `${counted(hours, 'hour')} ago`
}

const one = (texts: readonly string[], random: number): string => texts[random % texts.length]

/** A fact as a story; `random` is a u32. */
export function tellFact(view: WorldView, fact: Fact, random: number): string {
  const text = fill(one(SOURCES[FACT_KINDS[fact.kind]], random), {
    who: whoOf(view, fact),
    when: whenOf(view, fact),
    what: fact.what,
    sum: String(fact.credits),
  })
  return text.replace(/(^|[.!?] )([a-z])/g, (_, before: string, first: string) => {
    return before + first.toUpperCase()
  })
}

export const tellNothing = (random: number): string => one(NOTHING, random)
export const tellSpotted = (random: number): string => one(SPOTTED, random)
export const tellLeft = (random: number): string => one(LEFT, random)
