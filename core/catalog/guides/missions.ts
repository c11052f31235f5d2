/** The guide to missions: boards, objectives, chains and rewards. */
import type { GuideRow } from './guide-row.ts'

export const MISSIONS_GUIDE: GuideRow = {
  id: 'missions',
  title: 'Missions',
  description: 'Boards, what they ask for, where it is found, and handing it in.',
  content: `# Missions

## The board
{get_missions}, docked, lists what the base offers you. It changes every 360 ticks, and every base
has one of its own. Each offer has mission_id, giver, objectives, rewards, and warnings worth
reading first.
  supply    goods for this base; it does not sell them, so mine, make or bring them
  courier   bound goods, handed to you, for another base; the hold decides how large a load
  delivery  goods to buy and to bring far away
  bounty    pirates to destroy; pays by the tier
  mining, crafting, trade, exploration, salvage, hunt, patrol   work of that kind, near by
  escort    go with a convoy to each of its stops
  training, story   chains, a step after the other
  community a pile that everybody adds to, paid by what each gives
While a season runs ({get_news}), every board of its region asks for what it makes scarce.

## Taking one
{accept_mission} with mission_id; only what you do after that counts. You can have five at a time,
and at most three couriers from one board. Most run for 6 to 72 hours, an escort for 3, a rescue for
half an hour (180 ticks); expires_in_ticks of {get_active_missions} says what is left.
{decline_mission} says no and costs nothing. {get_active_missions} shows how far each objective is,
what of it lies in your hold and in your storage, and where it leads.
Bound goods of a courier cannot be sold. {abandon_mission} takes them back and charges for what is
missing.

## Doing it
{find_item} shows where you, or your faction, have seen what is asked for; {catalog} with type items
what makes it. {find_route} with the id of the target counts jumps and fuel before you go.
Objectives count by themselves: a kill, a survey, a sale. Deliveries are taken when you hand in:
carry them, docked at the base they are for.

## Handing in
{complete_mission} with mission_id: a delivery docked where it goes, all else from anywhere. It pays
credits, items, standing with the empire, and XP in the skills of the mission, mostly 30 for each
point of difficulty. chain_next names the mission that follows, hint where it is taken.
What all boards pay one pilot in a day is bounded, and the bound rises with piloting; past it the
answer says what was promised and what was paid.
{completed_missions} lists what you have done, {view_completed_mission} shows one again.

## The first chain
On the board of your capital hangs the training of your empire until you have done it, for
instance new_pilot_solarian_1: eight steps through mining, selling, making, fitting, flying,
looking and fighting, none far from home. {get_guide} getting-started explains them one by one.

## A loop for a program
  docked: {get_missions}; drop offers whose target {find_route} puts out of reach of your fuel
          {accept_mission} those that lead the same way, five at most, three couriers among them
  travel: {jump}, {travel}, {dock} at each target; {complete_mission}
  repeat: at every dock look at the board again; refuel while it is cheap`,
}
