/**
 * Achievements that ask for several things at once, and those nobody is told of before. Numbers
 * 210-239.
 */
import type { Single } from './achievement-row.ts'

export const SINGLES: readonly Single[] = [
  {
    ...{ no: 210, id: 'clean_hands', name: 'Clean Hands', category: 'missions', points: 25 },
    description: 'Fifty jobs done and not one dropped.',
    criteria: [
      ['missions_completed', '>=', 50],
      ['missions_abandoned', '<=', 0],
    ],
    after: 'ask_for_them',
    rewards: { title: 'Promise-Keeper', credits: 100 },
  },
  {
    ...{ no: 211, id: 'never_a_scratch', name: 'Never a Scratch', category: 'survival' },
    ...{ points: 40, description: 'Two hundred jumps in the ship you woke in.' },
    criteria: [
      ['jumps_completed', '>=', 200],
      ['times_destroyed', '<=', 0],
    ],
    rewards: { title: 'Untouched', emblem: 'whole_hull', credits: 200 },
  },
  {
    ...{ no: 212, id: 'mine_to_market', name: 'Mine to Market', category: 'industry' },
    ...{ points: 30, description: 'Dug it, made it, sold it.' },
    criteria: [
      ['ore_mined', '>=', 5_000],
      ['items_crafted', '>=', 500],
      ['exchange_items_sold', '>=', 500],
    ],
    rewards: { title: 'Self-Made' },
  },
  {
    ...{ no: 213, id: 'jack_of_decks', name: 'Jack of Decks', category: 'missions', points: 35 },
    description: 'Some fighting, some digging, some mending, and the letters delivered.',
    criteria: [
      ['pirates_destroyed', '>=', 25],
      ['ore_mined', '>=', 2_500],
      ['items_crafted', '>=', 250],
      ['missions_completed', '>=', 25],
    ],
    rewards: { title: 'Jack of Decks', credits: 150 },
  },
  {
    ...{ no: 214, id: 'peaceful_passage', name: 'Peaceful Passage', category: 'exploration' },
    ...{ points: 45, description: 'A hundred systems, and no shot fired in any.' },
    criteria: [
      ['systems_visited', '>=', 100],
      ['damage_dealt', '<=', 0],
    ],
    after: 'hundred_suns',
    rewards: { title: 'Pilgrim', emblem: 'white_sail', credits: 250 },
  },
  {
    ...{ no: 215, id: 'good_neighbour', name: 'Good Neighbour', category: 'company', points: 30 },
    description: 'Ten mended, ten refuelled, and nobody asked you to.',
    criteria: [
      ['repairs_given', '>=', 10],
      ['refuels_given', '>=', 10],
    ],
    rewards: { title: 'Good Neighbour' },
  },
  {
    ...{ no: 216, id: 'predator_and_prey', name: 'Predator and Prey', category: 'hunting' },
    ...{ points: 20, description: 'It ate one of yours. You ate twenty of its.' },
    criteria: [
      ['creatures_hunted', '>=', 20],
      ['deaths_by_wildlife', '>=', 1],
    ],
    secret: true,
  },
  {
    ...{
      no: 217,
      id: 'from_the_inside',
      name: 'From the Inside',
      category: 'survival',
      points: 10,
    },
    description: 'The button under the glass does what it says.',
    criteria: [['self_destructs', '>=', 1]],
    secret: true,
  },
  {
    ...{ no: 218, id: 'digested', name: 'Part of the Ecosystem', category: 'survival', points: 10 },
    description: 'You were, briefly, quite nutritious.',
    criteria: [['deaths_by_wildlife', '>=', 1]],
    secret: true,
  },
  {
    ...{ no: 219, id: 'littering', name: 'Littering', category: 'exploration', points: 10 },
    description: 'A thousand units over the side. Somebody else’s problem.',
    criteria: [['items_jettisoned', '>=', 1_000]],
    secret: true,
  },
  {
    ...{ no: 220, id: 'professional_target', name: 'Professional Target', category: 'survival' },
    ...{ points: 15, description: 'Ten captains have dined out on you.' },
    criteria: [['deaths_by_player', '>=', 10]],
    secret: true,
  },
  {
    ...{
      no: 221,
      id: 'paying_the_toll',
      name: 'Paying the Toll',
      category: 'survival',
      points: 15,
    },
    description: 'Five ships, all to the same sort of people.',
    criteria: [['deaths_by_pirate', '>=', 5]],
    secret: true,
  },
  {
    ...{ no: 222, id: 'act_of_somebody', name: 'Act of Somebody', category: 'ships', points: 10 },
    description: 'The assessor sighed, and signed.',
    criteria: [['insurance_claims_made', '>=', 1]],
    secret: true,
  },
  {
    ...{ no: 223, id: 'picked_a_fight', name: 'Picked the Fight', category: 'combat', points: 20 },
    description: 'A hundred battles begun, and it was always you.',
    criteria: [['battles_started', '>=', 100]],
    secret: true,
  },
  {
    ...{ no: 224, id: 'discretion', name: 'Discretion', category: 'survival', points: 25 },
    description: 'Ten times away, and never once caught.',
    criteria: [
      ['battles_fled', '>=', 10],
      ['times_destroyed', '<=', 0],
    ],
    secret: true,
    rewards: { title: 'The Eel' },
  },
  {
    ...{ no: 225, id: 'smiling_smuggler', name: 'Smiling Smuggler', category: 'stealth' },
    ...{ points: 35, description: 'They waved you through with both hands full.' },
    criteria: [
      ['contraband_sold', '>=', 100],
      ['customs_evaded', '>=', 10],
    ],
    secret: true,
    rewards: { title: 'Grey Hand', emblem: 'empty_crate' },
  },
]
