"""Words of any call, in a list of our own: who says them gives nothing away."""

EVERYDAY = """
a an the this that these those it its he she they them their we us our you your i me my mine yours his her hers who
whom whose
what which when where why how one ones two three four five six seven eight nine ten zero first second third once twice
and or but if then than so because since while until though although as like unless whether of to in on at by for from
with
without about into onto over under after before between through during against out off up down back away around near
not no nor yes yeah yep nope okay ok right sure well oh hey hi hello bye goodbye thanks thank please sorry pardon
excuse
am is are was were be been being do does did done doing have has had having can could will would shall should may
might must
don't doesn't didn't won't can't couldn't wouldn't shouldn't isn't aren't wasn't weren't haven't hasn't hadn't ain't
i'm i've i'd i'll you're you've you'd you'll he's she's it's we're we've we'd we'll they're they've they'd they'll
that's there's here's what's who's where's how's let's that'll it'll there'll gonna wanna gotta kinda
say says said saying tell tells told telling talk talks talked talking speak speaking spoke spoken ask asks asked
asking
answer answered call calls called calling phone number name hear heard hearing listen listening mean means meant
meaning
know knows knew known knowing think thinks thought thinking guess believe understand understood remember forget forgot
see sees saw seen look looks looked looking watch show shows showed find found finding read reads reading write wrote
get gets got getting gotten give gives gave given giving take takes took taken taking bring brought put puts keep
keeps kept
make makes made making go goes went gone going come comes came coming leave leaves left leaving stay stays stayed stop
start starts started starting begin began end ends ended ending finish finished try tries tried trying help helps
helped
need needs needed want wants wanted wish hope hoping like likes liked love hate mind care matter matters
use uses used using work works worked working happen happens happened happening change changes changed changing move
moved
turn turned run runs running wait waits waited waiting hold hang feel feels felt feeling seem seems seemed sound
sounds
let lets set sets send sends sent sending pick picks picked choose chose chosen check checked checking pay paid
thing things something anything nothing everything stuff bit lot lots kind sort type way ways part parts piece point
time times day days week weeks month months year years hour hours minute minutes moment today tomorrow yesterday
tonight
morning afternoon evening night noon early late later soon now again already still yet always never ever often
sometimes
next last previous past ago new old same other others another different else more most less least much many few little
some any all both each every either neither enough own such only just even also too very really quite pretty almost
here there everywhere somewhere anywhere home house place work people person man woman someone somebody anyone anybody
everyone
everybody nobody friend family kid kids child children husband wife mother mom father dad son daughter sister brother
good better best bad worse worst great fine nice big small long short high low full half whole easy hard quick quickly
fast slow slowly clear clearly sure certain ready able possible maybe perhaps probably actually honestly basically
exactly anyway though instead however together alone myself yourself himself herself itself ourselves themselves
question questions problem problems trouble issue reason reasons idea case fact line word words letter list note news
hundred thousand number numbers double age money cost costs price dollar dollars cent cents bill free
open opens opened close closed closing shut live lives lived stand sit eat drink sleep drive car door room table hand
hands
head eye eyes face side front top bottom middle inside outside ahead behind far close straight left wrong true real
email e-mail mail text message app online website computer phone cell voice office desk company business job boss
glad happy afraid worried busy tired careful fair strange weird funny silly crazy serious important extra
apologies apologize apologizing promise agree agreed explain explained deal cover cut add fill fix done plan plans
hmm ah wow gosh goodness god honest dear ma'am sir folks guys guy buddy
deal sense chance choice rest form sign signed step steps order orders rush hurry skip repeat confirm confirmed
cannot mustn't needn't someone's nobody's everything's one's sec second seconds minute's
dog cat traffic weather rain lunch dinner coffee kitchen street town city noise loud quiet battery signal charge
wondering wonder suppose supposed figure figured bother bothered mention mentioned notice noticed
"""
"""Words by whitespace, in any form; they are compared by their stems."""

FUNCTION = """
a an the this that these those my your his her its our their i you he she it we they me him us them and or but
of to in on at by for from with about is are was were be been am do does did have has had will would can could
not no so as if i'm it's
"""
"""Words that stand beside any other: a pair with one of them is no phrase."""
