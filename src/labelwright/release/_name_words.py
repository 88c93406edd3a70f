"""The words of raters' names: 256 of each kind, so that one byte picks one.

They are plain and easy to read. None can be taken as a judgment on a person, and none is a slur or a colour of skin.
A name is stored when it is drawn, so changing a word here changes no existing name.
"""

from __future__ import annotations

_FIRST = """
agate alder almond alpine amber apple apricot aqua arctic aspen aster atlantic auburn autumn azure balsam
bamboo barley basalt beech beryl birch blossom blue bluebell boreal bramble brass breezy brindled bronze
buttercup canyon carmine cedar celadon cerulean chalk cherry chestnut cinnamon citron citrus clay clifftop
cloudy clover coastal cobalt coconut copper coral corduroy cornflower cosmic cotton crescent crimson crocus
crystal cyan cypress daffodil dahlia dappled dawn delta denim desert dewy diamond distant dotted dune early
eastern echoing elm emerald estuary evening evergreen feathered fern fjord flax fleecy flint floral foggy
forest frosted garden garnet gentian gilded glacial glade golden granite grassy green grove harbour harvest
hazel heather hickory highland hilltop holly honey hyacinth indigo inland iris iron island ivy jade jasmine
jasper juniper kelp khaki lace lagoon lakeside larch lavender leafy lemon lichen lilac lily lime linen lotus
lowland lunar lupin magenta magnolia maple marble marigold marine maritime marsh mauve meadow midday mint
misty moonlit morning mossy mottled mountain mulberry myrtle navy nectar nordic northern nutmeg oak oasis oat
ocean ochre olive onyx opal orange orchard orchid pacific paisley palm paper papyrus pastel patterned peach
pear pearl pebble peony periwinkle petal pewter pine pistachio plaid plum polar pollen pond poplar poppy
prairie primrose purple quartz quince rainy raspberry reed ridge rippled river rocky rose rosewood rowan ruby
russet saffron sandy sapphire satin scarlet seaside sepia sequoia sierra silk silver sky slate snowy solar
sorrel southern speckled spiral spotted spring spruce starlit starry steel stone striped summer summit sunlit
sunny sunset tartan tawny thistle tidal topaz turquoise
"""
_SECOND = """
albatross alpaca anchovy antelope auklet avocet axolotl badger bandicoot bear beetle beluga bilby bison
bittern blackbird blackcap bluethroat bobolink bowerbird brambling brant bream bullfinch bumblebee bunting
camel capybara caracal cardinal caribou chaffinch chamois chiffchaff chinchilla chipmunk chough civet coati
condor conch cormorant cowrie crake crane cricket crossbill curlew wigeon dace damselfly deer dipper dolphin
dormouse dotterel dove dovekie dragonfly dugong dunlin dunnock eagle egret eider eland elk emu ermine falcon
fantail fieldfare finch firecrest firefly flamingo flicker flycatcher foal fritillary fulmar gadwall gannet
gazelle gecko genet giraffe godwit goldcrest goldeneye goldfinch gopher grayling grebe greenfinch grosbeak
guanaco guillemot gull hamster hare harrier hawfinch hawkmoth hedgehog heron herring hoatzin honeybee hoopoe
hummingbird ibex ibis iguana impala jacana jackdaw jaguar jay jerboa junco kangaroo kea kestrel kingbird
kingfisher kinglet kinkajou kittiwake kiwi koala kookaburra kudu lacewing ladybird lapwing lark leopard limpet
linnet lion llama lory lynx lyrebird macaw mackerel magpie mallard manatee marlin marmot marten martin
meadowlark meerkat merganser merlin minnow monarch mongoose moorhen moose moth motmot mouflon murre mussel
narwhal nautilus newt nightingale nightjar numbat nuthatch ocelot okapi oriole oryx osprey otter owl oyster
panda pangolin parakeet partridge pelican perch petrel phalarope pheasant phoebe pika pintail pipit platypus
plover pochard pony porpoise potoroo ptarmigan puffin puma quail quetzal quokka raven razorbill redpoll
redstart redwing reindeer rhea robin rook salamander salmon sandpiper scallop scaup seahorse seal serval
shearwater shelduck shoveler siskin skink skua skylark snipe sparrow spoonbill springbok squirrel starfish
starling stilt stonechat stork sturgeon swallow swan swift tanager tapir tench tern terrapin thrush tiger
toucan towhee trogon
"""

FIRST_WORDS, SECOND_WORDS = tuple(_FIRST.split()), tuple(_SECOND.split())
