/** The guide to the law of empires. */
import type { GuideRow } from './guide-row.ts'

export const LAW: GuideRow = {
  id: 'law',
  title: 'The law of empires',
  description: 'What is a crime and where, what it costs, how police hunt, and how to come clean.',
  content: `# The law of empires

## Where there is law
Each system has a police level from 0 to 100; {get_system} shows it. At 0 there is no law: nobody
charges anything and nobody comes. From 1 up the empire of the system keeps the peace, and its
policies are public:
  {get_empire_info}                      all five
  {get_empire_info} with empire_id       one of them

## What is a crime
In a system with police, to attack
- another player, unless they attacked you, or your side of the battle, in an earlier tick;
- a ship of an empire: police drones, patrols, customs, traders;
- a prize that another player has claimed and sends home;
- a station of an empire: that costs three times the reputation.
Attacks on pirates and creatures, and whatever happens in an arena, never are. To join a side of a
battle is an attack on every player of its enemies, so help the victim, not the attacker. Two who
attack each other in the same tick are both aggressors.
Hitting back is lawful, and it does not make you an aggressor.

## What it costs
An attack is charged once for each victim in each battle: 500 credits of bounty and 5 points of
reputation with that empire. Destroying the victim is charged once more: 2,000 and 10. A bounty is a
debt to the empire, not a price that others collect. {get_status} shows under standings what you owe
to whom, and an empire_notice reports every charge.

## Police
A crime calls police drones, at once at level 100, up to five ticks later where the level is low;
one for every 20 points of the level and criminal, five at most. They shoot at the criminal alone.
They hunt at the place where you are: leave it, dock or cloak and they go home. For 60 ticks, and 60
more for each further crime, they come again wherever in that system you show yourself. Destroying
one is a crime of its own.
At a reputation of -20 or less an empire warns you once, on arrival or as you undock; from then on
its police shoot on sight.

## Paying
Dock at a station of the empire you owe: the whole bounty is taken, the record is cleared, and half
of the reputation that crimes cost you comes back, ten points at most. If police destroy you, they
collect when you wake up.
If you cannot pay you are detained for a day: you can neither leave, dock, mine, fight nor use the
exchange (detained). Chat, your locker, trades with players and cancelling stay open. You are free
as soon as your wallet can pay, or when the time is served; then the debt still stands.
Reputation drifts by a point a day towards 10, or 20 for citizens. {citizenship} with action list
shows what each empire asks of citizens, who pay the lowest sales tax; action apply asks for it.

## Taxes
Once a week (60,480 ticks) the empires whose citizen you are take a part of what missions, sales,
salvage and rescues brought in, less what you bought on exchanges, and a little of what your ships
are worth, never more than you earned. {get_tax_estimate} shows it as it grows and when it is due;
tax_assessed says what was taken. It comes out of what {prepay_tax} set aside, then out of your
wallet. What neither covers becomes a bounty of the same size: {pay_bounty} clears one from
anywhere, before docking there gets you detained.

## Customs
Where an empire borders on what is not its own, a customs ship lies at the arrival point and looks
into the hold of each arrival. What the empire bans (contraband_items) is seized and fined at
twice its value; what you cannot pay becomes a bounty. A cloak of 40 or more hides the
hold; smuggling, stealth and piracy each give a percent a level to slip through. While the customs
ship fights, or is gone, nobody looks.`,
}
