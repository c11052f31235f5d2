/** The guide to creatures and hunting them. */
import type { GuideRow } from './guide-row.ts'

export const WILDLIFE: GuideRow = {
  id: 'wildlife',
  title: 'Wildlife and the hunt',
  description: 'Where creatures live, what they eat, how they fight, and what a hunt brings.',
  content: `# Wildlife and the hunt

## Where they live
Herds live at belts, rocks, ice fields, clouds, nebulas, wrecks of old, moons and stars; never at
stations, arenas, hidden places, or where jumps arrive. {get_nearby} lists those at your place with
species, role and hull; {survey_system} says what lives in a system, and a scan of a creature always
succeeds. Roles:
- grazer: eats ore, ice or gas off the deposits you mine. Once in 360 ticks the herd takes its
  share.
- drifter: eats light and dust.
- scavenger: lives on what others left.
- predator: bites back, but starts nothing.
- apex: lawless space only. In each tick one in four turns on a ship at its place.

## Herds
A fed herd grows by a member a turn, large kinds more slowly, up to its size. Where the deposits
are bare it goes hungry, moves on within the system if there is food, and starves if there is not.
A herd that was hunted out comes back one by one. Mine out a pasture and you have hunted it, too.

## The hunt
  {hunt} with {hunt.target_id}                     a creature of your system, by its id
opens a fight of its own: you, others who hunt the same creature, and that one creature. Its herd,
stations and bystanders stay out of it. Hunting is never a crime. Creatures have hide and armour
and no shields; they hold an exchange, and then do what is in their nature: hares flee at the
first wound, oxen when nearly dead, krakens never. Out of a fight they heal a hundredth of their
hull a tick. One that has escaped is safe from you for 6 ticks. Without a weapon you are warned,
not stopped.

## What it brings
A carcass at the place of the kill, with hide, bone, and what the kind is hunted for; apex
predators leave ichor and, with luck, a heart. Loot it within a day. Each kill trains xenobiology
by ten times the tier of the creature, and each level of it adds a hundredth to what you cut out.
It needs scanning 2 before it trains at all.`,
}
