/** The dialogs of the new pilots' missions, by empire: each teaches in its own voice. */
import type { EmpireId } from './map-types.ts'
import type { Talk } from './mission-row.ts'
import type { Giver } from './mission-types.ts'

type Lesson = readonly [title: string, ...talk: Talk]

interface Teacher {
  readonly giver: Giver
  /** Beginning of the title of each step. */
  readonly course: string
  /** Title and dialog of each step; {ore} and {made} are what is mined and made at home. */
  readonly steps: readonly Lesson[]
}

export const TEACHERS: Readonly<Record<EmpireId, Teacher>> = {
  solarian: {
    giver: { name: 'Tavian Roe', title: 'Registrar of First Flights' },
    course: 'First Clause',
    steps: [
      [
        'What the Rock Owes',
        'You hold a hull and a licence. Article one of both: a pilot digs before a pilot dines.',
        'Ten of {ore}, from the belt in sight of this window. I shall be able to see you.',
        'The clause stays open. So does this window, and I am at it until six.',
        'Ten, weighed and entered. Your name is in the book now. It has never lost one.',
      ],
      [
        'What the Counter Owes',
        'An unsold stone is a souvenir. Take ten of {ore} to the exchange: make them a figure.',
        'Read what they bid before you nod. The law protects sellers; it cannot wake them.',
        'Then they stay souvenirs. The hold charges no rent, but it does fill.',
        'Sold, and taxed, and still smiling. A second laser for you: fit it beside the first.',
      ],
      [
        'Improvement',
        'Under the charter, whoever improves a thing may price it. Make two of {made}.',
        'The bench is public. The burns are private. Ask the recipe before you ask the surgeon.',
        'Ore keeps. It kept four billion years before you were licensed.',
        'Two, within tolerance. I have initialled them. That is the whole ceremony.',
      ],
      [
        'The Careful Party',
        'Every contract assumes a careful party. Order a shield booster or a plate, and be one.',
        'Name your price on the exchange. Met, the goods are yours; unmet, so is the money.',
        'Some pilots fly bare. We keep their files in the room with no windows.',
        'An order in your own hand. Two kits, for the repairs you will need less often.',
      ],
      [
        'Service of Papers',
        'This letter is due next door, at the registry, before the watch ends. It is dull. Be glad.',
        'Hand it to the desk and to nobody else, however official their hat.',
        'I shall find a clerk. They fly like clerks, but they arrive.',
        'Served and stamped. Have a survey scanner on loan; for life, it says so here.',
      ],
      [
        'Inspection of the Bounds',
        'Each year two systems on our bounds are inspected by whoever is newest. That is you.',
        'Arrive, survey, write down what is hidden. What is not written was not there.',
        'The bounds have stood three centuries. They can stand until you finish your tea.',
        'Your reports agree with the chart, save for one note. We are correcting the chart.',
      ],
      [
        'Against Vermin',
        'The charter protects citizens from beasts, and is silent the other way round. Hunt one.',
        'Something small. They graze near home, and none of them can read a summons.',
        'Then the beast goes unlitigated. It will be insufferable.',
        'One specimen, cleanly taken. The naturalist thanks you; the cook asked first.',
      ],
      [
        'Trial by Ring',
        'One old right remains: to be hit, before referees, at no cost. Fight a bout in our ring.',
        'Win or lose, it is entered the same. They mend your hull. They cannot mend a forfeit.',
        'The right does not lapse. Very few people have died of not using it.',
        'Entered: one bout, fought. You are a pilot of the Concordance. What is written, stands.',
      ],
      [
        'A Bounty Slip',
        'Not part of the course. A pirate scout has been seen a few jumps out; I have a slip.',
        'Alone, they are no more than you are. If there are three, you have an appointment.',
        'Quite right. The slip will not go stale, and neither should you.',
        'Confirmed, countersigned, paid. Who taught you? Nobody. You read the clauses.',
      ],
    ],
  },
  voidborn: {
    giver: { name: 'Ennis Vahl', title: 'Warden of First Silences' },
    course: 'First Silence',
    steps: [
      [
        'The Rock',
        'Before you speak out there, learn what answers. Rock does, slowly. Bring ten of {ore}.',
        'Cut softly. The belt is old, and we were guests here before we were neighbours.',
        'Stillness is also a beginning. It is only a very long one.',
        'Ten. You did not hurry the last. I heard that.',
      ],
      [
        'The Counter',
        'A price is what two strangers hear at once. Sell ten of {ore}, and listen to it said.',
        'They call first what they would pay. Let them finish. Most do not.',
        'Then carry it. Weight is a kind of teacher.',
        'You heard the number under the number. Here is a second eye for the rock: wear it.',
      ],
      [
        'The Patch',
        'Our arks were patched with what the crews could make in the dark. Make two of {made}.',
        'The bench hums on one note. When it changes, stop. That is all anyone can teach.',
        'The bench will be there. It was there before the station; they built around it.',
        'My grandmother would have run her thumb along them, and said nothing. High praise.',
      ],
      [
        'The Second Skin',
        'We are hard to hit, and when hit we are hard. Ask the exchange for shield or plate.',
        'Leave your price and go quiet. Somebody will answer, or nobody. Both are information.',
        'Skin is enough for a while. It was enough for all the ones we remember by name.',
        'Asked, and calmly. Two kits, for the day the calm does not hold.',
      ],
      [
        'Carried Words',
        'This was written by hand, so that no one could overhear it. Take it to the next dock.',
        'Do not hold it to the light. It is not secret. It is only not yours.',
        'Then it waits with me. It has waited longer. The paper is from the ark.',
        'They wept a little, in the corridor? Good. Take this: an ear for hollow places.',
      ],
      [
        'Two Dark Rooms',
        'Two systems lie next to ours. Go in, put out your lights, hear what is hidden there.',
        'Survey, then wait one breath longer than you think. The shy things answer last.',
        'The dark keeps. It is the one thing that always does.',
        'You mapped what was there, and left what hides. Nobody taught you that part.',
      ],
      [
        'The Small Life',
        'There are soft creatures in our own light. Take one; thank it, and learn its weight.',
        'They startle. So do you. Be the one who startles second.',
        'Good. Some never can, and we think no less of them. They cook.',
        'One, and quickly. You will remember its colour. You are supposed to.',
      ],
      [
        'To Be Struck',
        'Every child of the arks was struck once, in the ring, to learn that it ends. Your turn.',
        'One bout. I do not ask you to win it. I ask you to keep your breath.',
        'Fear is a sound. You have it at the right volume.',
        'It ended. They always do. Go where you like now, and when you get there, listen first.',
      ],
      [
        'A Noise Nearby',
        'A scout of the crews is loud, a few jumps out. It need not be. I am allowed to ask.',
        'If it is alone, answer it. If it has a chorus, it was never about you.',
        'Noises end by themselves, too. It takes longer and costs others.',
        'Quiet again. The fee is for the quiet. What you did, you will have to price yourself.',
      ],
    ],
  },
  crimson: {
    giver: { name: 'Halka Dreyn', title: 'Oath-Warden of the Young' },
    course: 'First Oath',
    steps: [
      [
        'Dig',
        'Said is done. So say it: ten of {ore}, from the belt, in that tin thing you fly.',
        'Heard and witnessed. Point the laser at the rock. You would be surprised who does not.',
        'Then you have sworn nothing. Nobody thinks less of you. Nobody thinks of you at all.',
        'Ten. Small word, kept. They get larger.',
      ],
      [
        'Sell',
        'A smith who cannot sell is somebody in a hot room. Ten of {ore}, for coin.',
        'Do not plead with the board. Look it in the eye, read the bid, say yes or walk.',
        'Keep it, then. Sleep on it. It is exactly as soft as it looks.',
        'Sold. Now take this second laser, and bolt it in yourself. Own every bolt.',
      ],
      [
        'Forge',
        'Every child of the Chain makes one thing before supper. You are late, so you make two.',
        'Two of {made}. If the first is ugly, make the second look at it.',
        'The fire has been lit nine hundred years. It can stand one more day without you.',
        'Ugly and sound. Give me that over pretty. Give me that over most people.',
      ],
      [
        'Plate',
        'You are flying in your shirt. Order plate, or a booster if you must be delicate.',
        'Name the price out loud. A price is an oath with a number in it.',
        'The brave fly bare. We have a lovely wall for them.',
        'Ordered like you meant it. Here, two kits. One is for pride.',
      ],
      [
        'Carry',
        'Next door lent us an anvil in my mother’s time. This letter says it is coming home.',
        'Do not read it. You would only learn how sorry we are, and we are not.',
        'Then the debt sits another day. It is heavier than the anvil by now.',
        'Took it and said nothing? That is forgiven, in their country. Have a scanner.',
      ],
      [
        'Walk the Fence',
        'A house that does not walk its fence has no fence. Two systems, next door. Survey them.',
        'You are not after treasure. You are after who else is looking.',
        'The fence does not mind. What comes through it might.',
        'Two walked, two sounded. If anything moves there now, it moves past your name.',
      ],
      [
        'Blood',
        'You will shoot at people one day. Start with something that is not one. A beast, any.',
        'Close in. If you are not near enough to feel bad, you are not near enough to hit.',
        'Then eat greens. I swore to a pig once, and kept it. I know how it is.',
        'Clean. Remember that: clean costs nothing, and the other thing keeps you awake.',
      ],
      [
        'The Ring',
        'No oath counts until somebody has hit you for it. The ring. One bout. I will watch.',
        'Win, lose, I do not care. Turn your back and I will care.',
        'It is not going anywhere. It has buried better excuses than that.',
        'You stayed in. So: a pilot of the Oathhold, before witnesses. Said. Now it is done.',
      ],
      [
        'Paper',
        'There is paper on a pirate scout, a few jumps off. Nobody orders you. That is the point.',
        'One of them, you can. Three of them, you swear at from a distance.',
        'A no that is meant is worth six yeses. Off with you.',
        'One fewer. Take the coin, drink half of it, and tell nobody it was easy.',
      ],
    ],
  },
  nebula: {
    giver: { name: 'Pello Quince', title: 'Factor of the Apprentices’ Desk' },
    course: 'First Entry',
    steps: [
      [
        'Opening Stock',
        'Page one, line one. An apprentice without stock is a customer. Ten of {ore}, please.',
        'The belt charges nothing for admission. It is the last thing that will not.',
        'Then the line stays blank, and I shall have to explain it to my ruler.',
        'Ten, opening stock. Look how well it sits on the page. I could frame you.',
      ],
      [
        'First Sale',
        'Stock is only the memory of money. Sell ten of {ore}, and let it come round.',
        'The board shows what is bid, and for how much. It is the most honest face in port.',
        'Holding for a better price! Bold. On ten pieces of rock, but bold.',
        'The house invests: a second laser, at no interest. Fit it before anybody asks me.',
      ],
      [
        'Added Value',
        'Anybody can sell a thing twice. We add something in between. Make two of {made}.',
        'Buy what you lack, make what you want, and write down both. In that order.',
        'Value unadded. It hurts me here, where I keep the pens.',
        'Worth more than the sum of their parts. That gap is where we all live.',
      ],
      [
        'Insurance of a Kind',
        'An asset flying about unguarded! Order a booster, or a plate, I am not proud.',
        'Offer a little under. The market is patient; if you are not, offer a little over.',
        'I shall enter you under “consumables”, then.',
        'An order on the book, in your name. Two repair kits, from petty cash. Tell no one.',
      ],
      [
        'Everything Arrives',
        'One letter, one dock away, one signature. The League was built on nothing grander.',
        'A birthday greeting. Forty years I have sent it. He has never once sent a bill.',
        'Then it is late for the first time. I shall have to invent a war.',
        'He says you flew nicely, and sends a scanner: he thinks you should look about.',
      ],
      [
        'Market Research',
        'What lies in the two systems next to us? The houses pay well to know it after we do.',
        'Arrive, survey, say nothing in bars. Above all, say nothing in good bars.',
        'Ignorance is free, which is the trouble with it.',
        'Two surveys, both dull, both true. Dull and true is how one gets a pension.',
      ],
      [
        'Perishables',
        'A client wants hide, another bone, and both were recently attached to one creature.',
        'Something of the small sort, near home. It has no representation and no next of kin.',
        'A tender conscience is an asset. I only never learned in which column.',
        'Delivered, in instalments, I gather. The client asks no questions and pays promptly.',
      ],
      [
        'Depreciation',
        'Everyone should be knocked about once where it is covered. One bout in the ring.',
        'The referees put everything back, to the last rivet. I have audited them. I tried not to.',
        'Quite. I watch from the gallery myself, with sandwiches.',
        'Knocked about, and restored at par! Your apprenticeship is closed; the balance is yours.',
      ],
      [
        'A Speculation',
        'Between us, not for the ledger: a pirate scout, a few jumps out, and a price on it.',
        'If there is one, take it. If there are several, we do not insure enthusiasm.',
        'Prudent. I should not lend to you otherwise.',
        'A clean profit, before repairs. I shall enter it as “sundries”, with a flourish.',
      ],
    ],
  },
  outerrim: {
    giver: { name: 'Bram Tulley', title: 'Keeper of the Dock Lamp' },
    course: 'First Light',
    steps: [
      [
        'Break Some Rock',
        'Well, you got here, that’s the hard part. Next hardest: ten of {ore} out of that belt.',
        'Wave as you go by. Nobody’s watching, but it’s how we tell you from wreckage.',
        'Sit a bit, then. Kettle’s on. The belt has nowhere to be.',
        'Ten! Look at you. Here, cells for the tank. Nobody goes short here that works.',
      ],
      [
        'Pay Your Way',
        'Rule two of three: pay for what you break. You’ll want money, so. Sell ten of {ore}.',
        'Read the board, take the bid. They’ll say it’s a bad year. It’s always a bad year.',
        'Nothing wrong with a hold full of rock. Stops the rattling.',
        'There. This laser was my brother’s, spare. Fit it next to yours and dig double.',
      ],
      [
        'Make Do',
        'Out here you make it or wait a season for it. Go to the bench, and make two of {made}.',
        'Short of something, buy it here. Short of patience, borrow some. I’ve plenty.',
        'Aye, tomorrow. Everything in this house was made tomorrow.',
        'That’ll hold. Not straight, mind. Neither’s the dock, and it’s held since I was six.',
      ],
      [
        'A Coat for the Road',
        'You’re not going down my road without a coat. Order one: a booster, or a plate.',
        'Put your price up and go about your day. Somebody’s cousin will see it.',
        'Suit yourself. The road has had people suit themselves before.',
        'Good. And two kits from the shelf, since you’ll forget. I always did.',
      ],
      [
        'Next Lamp Along',
        'Take this to the next lamp along. It says all’s well. They worry if it doesn’t come.',
        'Same words every week for sixty years. It’s not the words.',
        'I’d go, only who’d mind this one? Think on it.',
        'They gave you soup, then. They do. Here, a scanner: to hear what the dark’s got in it.',
      ],
      [
        'Look Both Ways',
        'Two roads out of here. Go down each to the first stop, and have a proper listen round.',
        'If you find something nobody’s named, name it after somebody kind.',
        'They’ll both be there. I can’t say that of all our roads.',
        'Both clear. I’ll chalk it up by the door, with your name, where people look.',
      ],
      [
        'Something for the Pot',
        'Visitors tonight and the pot’s thin. There’s small game about the rocks. One will do.',
        'Mind its young, mind your hull, and don’t chase it down any road without a lamp.',
        'Beans, then. I’m not a proud cook.',
        'That’ll feed nine. You’ll sit with us. It wasn’t really about the meat.',
      ],
      [
        'A Knock or Two',
        'Go and let them knock you about in the ring, once, while it’s free and folk watch.',
        'They put you back together after. If you lose, lose laughing. They hate that.',
        'No shame in it. I’ve not gone in since my hip, and that was before.',
        'Fetched up grinning. Right: that’s all three rules and the rest. Mind the lamp, pilot.',
      ],
      [
        'Trouble on the Road',
        'I don’t ask it. But there’s a pirate scout a few stops out, frightening people.',
        'One, you can manage. See more than one, come home and have soup.',
        'Right answer, that. Nobody’s lamp was ever lit by a dead hero.',
        'Road’s quiet. They passed a hat round; it’s all in there, and a button, for luck.',
      ],
    ],
  },
}
