/** The guide to modules, and to owning more than one ship. */
import type { GuideRow } from './guide-row.ts'

export const FITTING: GuideRow = {
  id: 'fitting',
  title: 'Fitting and the hangar',
  description: 'What goes into a hull, what comes off it again, and how to keep several ships.',
  content: `# Fitting and the hangar

## What a hull can bear
Three things limit a fit: slots (weapon, defense, utility), CPU and power. {get_ship} shows all of
them, used and in all; {catalog} with type items lists what each module asks for and gives; its
required_skills are advice and refuse nobody. Engineering makes every module ask for less. Slots
never grow; CPU grows with coprocessors, power with reactor upgrades, and both take a utility slot
for it.

## Putting on, taking off
Docked, anywhere:
  {install_mod}    module_id is a type in your hold, such as scanner_i
  {uninstall_mod}  module_id is the id from {get_ship}, or the type where there is one of it
- A module is ten units of cargo. Leave room before you take one off.
- A weapon that needs ammunition is loaded from the hold as it is fitted. Taken off, what was in
  its magazine is lost: fire it first.
- What holds the rest up stays on: a coprocessor in use, an expander with cargo in it, quarters
  with people in them, a bay with drones, the containment around hazardous goods. The refusal
  names what is short.
- When a maximum falls, what you have is cut to it. Fuel above a smaller tank is gone, so empty
  the tank into use before the tank goes.
- Modules do not wear. {repair_module} exists and never finds anything to do.

## Issue
The ship you wake up in after a loss is issue. It flies like any other, but its own modules fall
apart when they come off, its first tank cannot be sold, and the hull neither sold, given nor
insured. Fit modules of your own to it: those stay yours. You keep one such hull; the next one
replaces it, and what you had put into it waits in your storage where it stood.

## Several ships
  {list_ships}     all of yours, from anywhere
  {get_ship}       ship_id shows any one of them in full
  {switch_ship}    where the other one is parked and the base has a shipyard
  {name_ship}      3 to 32 characters that no other ship bears; empty to clear
  {scrap_ship}     from anywhere: the hull is gone, cargo and modules are in storage where it stood
Parked ships are safe. Changing over, the cargo of the ship you leave goes into your storage there;
modules, crew and insurance stay with their ship; drones in the bays come along if there is room;
a tow is let go, boosters and the cloak end. Larger hulls ask for piloting: 10 for tier 2, 20, 30
and 50 above, 70 for capital ships. If the hull was fitted by a better engineer than you, what it
does not bear in your hands is put into storage first.

## Refits
Now and then a yard delivers a class with better modules than before. If loadout_version of your
ship is below default_loadout_version of its class, {refit_ship} at a shipyard brings it up to date:
the yard takes the modules the ship once came with, charges those that are missing, fits the new
set, and puts everything else, cargo included, into your storage.

## Three fits that pay early
- Digger: a second mining laser before anything else; then cargo_expander_i.
- Carrier of goods: expanders in every utility slot, one shield_booster_i, nothing that shoots.
- Hunter: the best weapon the power allows, then defense; a hull that cannot fire back is freight.`,
}
