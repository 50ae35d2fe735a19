//! English words and phrases, in lower case.

use super::Row;

pub(super) const ROWS: &[Row] = &[
    // Words that only bind others together.
    (
        "noise",
        "a|an|the|me|us|please|can|could|would|should|will|may|might|i|you|we|want|need|like to|know|see|tell|there|exist|exists|existing|here|this|these|those|any|some|every|each|currently|actually|also|just|only|really|ever|exactly|its|their|his|our|your|my|it|they|them|he|she|hi|hello|hey|thanks|thank you|kindly|quickly|so|then|now|out|up|if|whether|given|specific|certain|particular|overall|entire|whole|total|different|various|other|another|else|own|such|as well|try to|able to|i'd|let|lets|kind of|kinds of|type of|sort of|part of|parts of|possible|possibly|at all|in total|altogether|for me|been|being|itself defined|line number|line numbers|location of|position of|code for|source of|source code of|source code for|implementation detail|details|information|info|about",
    ),
    ("all", "all|all of|every single|all the|complete list of|full list of"),
    (
        "show",
        "show|list|find|get|give|display|print|return me|fetch|enumerate|search|search for|look for|look up|lookup|locate|retrieve|identify|name all|describe|explain|report|select|output|provide|what are|which are|what about|collect|query|pull up",
    ),
    (
        "count",
        "how many|number of|the number of|count|count of|total number of|amount of|quantity of|how much|how often",
    ),
    ("limit", "top|first|at most the first|limit to|limited to|limit|up to"),
    ("ask.who", "who|whom"),
    ("ask.what", "what|whats|what all|whatever"),
    ("ask.which", "which|which of|what kind of|what kinds of"),
    (
        "ask.where",
        "where|where in the code|where abouts|in which file|in what file|which file|what file|which line|what line|at which line|on which line|in which place|in which places|in what places|which places|places where|place where|the places",
    ),
    ("ask.how", "how|in what way"),
    ("ask.why", "why|when"),
    ("that", "that|whose|who's"),
    ("be", "is|are|was|were|be|am|gets|got|get to be|become|becomes"),
    ("do", "do|does|did"),
    ("not", "not|never|no longer|cannot|nowhere|neither|non|isn|aren"),
    (
        "nobody",
        "nobody|no one|nothing|none|no function|no functions|no code|no other function|no other functions|no caller|no callers|anywhere",
    ),
    (
        "anybody",
        "anybody|anyone|anything|something|somebody|someone|anything else|any other function|any other functions|any function|any code|everything|other functions|other code|others|other things|other classes|other files|other modules|another function|another class",
    ),
    ("self", "itself|themselves|themself|oneself|each other|one another"),
    ("and", "and|as well as|and also|plus|along with|together with|&"),
    ("or", "or|and or|and/or"),
    ("but", "but|but not"),
    // Prepositions.
    (
        "in",
        "in|inside|inside of|within|under|beneath|below|underneath|located in|living in|that live in|that are in|found in|that reside in|residing in|belonging to|that belong to|belong to|belongs to|on|at|for|throughout",
    ),
    ("from", "from|starting from|beginning at|beginning from"),
    ("of", "of"),
    ("by", "by|via|through"),
    ("to", "to|into|all the way to|towards|onto"),
    ("between", "between"),
    ("with", "with|having|that have|which have|that has|which has|featuring|using|that use the|carrying|bearing"),
    (
        "without",
        "without|with no|without any|with zero|having no|lacking|that lack|lack|lacks|missing|that miss|which lack|no|zero|without a",
    ),
    (
        "outside",
        "outside|outside of|not in|excluding|except|except for|except in|other than|ignoring|skipping|besides|apart from|but not in|not inside|not under|not within|not counting|leaving out|not part of|exclude",
    ),
    ("than", "than"),
    ("as", "as|as a|as an|as its"),
    // Kinds.
    (
        "kind.class",
        "class|classes|struct|structs|structure|structures|record|records|object type|object types|data class|data classes|dataclass|dataclasses",
    ),
    (
        "kind.function",
        "function|functions|func|funcs|routine|routines|procedure|procedures|subroutine|subroutines|free function|free functions|fn|fns|callable|callables",
    ),
    ("kind.method", "method|methods|member function|member functions|instance method|instance methods"),
    ("kind.interface", "interface|interfaces|trait|traits|protocol|protocols"),
    ("kind.enum", "enum|enums|enumeration|enumerations|enum type|enum types"),
    ("kind.type", "type|types|type alias|type aliases|typedef|typedefs|alias|aliases|type definition|type definitions"),
    ("kind.module", "module|modules"),
    ("kind.file", "file|files|source file|source files|code file|code files|python file|python files|script|scripts"),
    ("kind.folder", "folder|folders|directory|directories|dir|dirs|subfolder|subfolders|subdirectory|subdirectories"),
    ("kind.package", "package|packages|namespace|namespaces|subpackage|subpackages"),
    (
        "kind.external",
        "external package|external packages|external library|external libraries|third party package|third party packages|third-party package|third-party packages|third party library|third party libraries|third-party library|third-party libraries|external dependency|external dependencies|third party dependency|third party dependencies|third-party dependency|third-party dependencies|external module|external modules|third-party module|third-party modules|library|libraries|outside package|outside packages|third-party code|third party code|external import|external imports|third-party import|third-party imports|imported libraries|third-party libs|third party libs|external libs|libs",
    ),
    (
        "kind.test",
        "test|tests|test case|test cases|unit test|unit tests|test function|test functions|testcase|testcases|test method|test methods|test code|test suite|test suites|testing code",
    ),
    ("kind.constructor", "constructor|constructors|initializer|initializers|initialiser|initialisers"),
    (
        "kind.definition",
        "definition|definitions|symbol|symbols|entity|entities|thing|things|item|items|declarations|element|elements|code element|code elements|component|components|stuff|code|contents|content|members|member",
    ),
    (
        "kind.variable",
        "variable|variables|constant|constants|field|fields|attribute|attributes|global variable|global variables",
    ),
    (
        "project",
        "project|this project|the project|codebase|code base|repository|repo|code repository|in this project|in the project|in this codebase|in the codebase|in the code base|in this code base|in this repo|in the repo|in this repository|in the repository|in the code|in our code|in our codebase|in my code|in my project|in the whole project|in the entire project|in the entire codebase|in the source code|across the codebase|across the project|across the repo|of the project|of this project|of the codebase|of this codebase|of this repository|of the repository|throughout the codebase|throughout the project|of the repo|of this repo|from the codebase|from the project|in this application|anywhere in the project|anywhere in the code|anywhere in the codebase|anywhere in the repository|does the project|does this project|does this repo|does the codebase|does the repo|does this codebase|does this repository|does the code|does the repository",
    ),
    // Verbs: plain, participle, -ing.
    (
        "verb.call",
        "call|calls|invoke|invokes|execute|executes|trigger|triggers|call into|calls into|make calls to|makes calls to|make a call to|makes a call to|call out to|calls out to|run|runs|call upon|dispatch to|dispatches to|delegate to|delegates to",
    ),
    (
        "verb.call.ed",
        "called|invoked|executed|triggered|called upon|called from|invoked from|called into|called anywhere|called directly from",
    ),
    ("verb.call.ing", "calling|invoking|executing|triggering|calling into"),
    (
        "verb.use",
        "use|uses|reference|references|refer to|refers to|mention|mentions|consume|consumes|make use of|makes use of|touch|touches|utilize|utilizes|utilise",
    ),
    (
        "verb.use.ed",
        "used|referenced|referred to|mentioned|consumed|utilized|being used|used from|referenced from|used anywhere|needed",
    ),
    ("verb.use.ing", "referencing|referring to|consuming|that are using|making use of"),
    ("verb.import", "import|imports|import from|imports from|load|loads|bring in|brings in|pull in|pulls in"),
    ("verb.import.ed", "imported|loaded|pulled in|imported from"),
    ("verb.import.ing", "importing|loading|importing from"),
    (
        "verb.depend",
        "depend on|depends on|depend upon|depends upon|rely on|relies on|require|requires|depend|depends|need to import",
    ),
    ("verb.depend.ed", "depended on|depended upon|relied on|required|relied upon"),
    ("verb.depend.ing", "depending on|relying on|requiring|that is dependent on|dependent on"),
    (
        "verb.inherit",
        "inherit from|inherits from|inherit|inherits|extend|extends|subclass|subclasses from|derive from|derives from|derived from|inherited from|inheriting from|deriving from|extending|inheriting|subclassing|descend from|descends from|descended from|based on|specialize|specializes|is a subclass of|are subclasses of|be a subclass of|is a kind of|are a kind of|is derived from|are derived from|embed|embeds|embedding|are children of",
    ),
    ("verb.inherit.ed", "extended|inherited|subclassed|embedded"),
    (
        "verb.implement",
        "implement|implements|implementing|conform to|conforms to|satisfy|satisfies|satisfying|conforming to",
    ),
    ("verb.implement.ed", "implemented|satisfied"),
    ("verb.override", "override|overrides|overriding|redefine|redefines|redefining|overload|overloads"),
    ("verb.override.ed", "overridden|overriden|redefined|overloaded"),
    (
        "verb.contain",
        "contain|contains|have|has|include|includes|hold|holds|define|defines|declare|declares|provides|offer|offers|expose|exposes|containing|defining|declaring|including|that define|house|houses|consist of|consists of|comprise|comprises|come with|possess|possesses|export|exports",
    ),
    (
        "verb.contain.ed",
        "defined|declared|contained|included|located|implemented in|written|living|situated|found|defined in|declared in|contained in|defined inside|declared inside|defined within|defined under|located in the file|hosted|stored|sit|sits|live|lives|reside|resides|come from|comes from|implemented at|introduced",
    ),
    (
        "verb.create",
        "instantiate|instantiates|create|creates|construct|constructs|make|makes|build|builds|create instances of|creates instances of|create an instance of|creates an instance of|create a new|creates a new|make instances of|create objects of|raise|raises|throw|throws",
    ),
    ("verb.create.ed", "instantiated|created|constructed|built|raised|thrown"),
    (
        "verb.create.ing",
        "instantiating|creating|constructing|creating instances of|making instances of|raising|throwing",
    ),
    (
        "verb.reach",
        "reach|reaches|get to|gets to|end up in|ends up in|end up at|end up calling|ends up calling|lead to|leads to|arrive at|arrives at|flow to|flows to|flow into|flows into|connect to|connects to|eventually call|eventually calls|ultimately call|ultimately calls|result in calling|indirectly call|indirectly calls|transitively call|transitively calls|eventually reach|eventually reaches|eventually invoke|eventually invokes|can reach",
    ),
    (
        "verb.reach.ed",
        "reached|reachable|reachable from|reached from|eventually called|transitively called|indirectly called|connected|connected to|linked to",
    ),
    (
        "verb.cover",
        "cover|covers|exercise|exercises|verify|verifies|covering|exercising|hit|hits|test for|check|checks",
    ),
    ("verb.cover.ed", "covered|exercised|tested|verified"),
    (
        "verb.affect",
        "break|breaks|affect|affects|impact|impacts|be affected|be impacted|be broken|would break|will break|could break|might break",
    ),
    ("verb.affect.ed", "affected|impacted|broken|be affected by|affected by|impacted by|influenced"),
    (
        "change",
        "change|changes|changed|changing|modify|modifies|modified|modifying|edit|edited|editing|alter|altered|refactor|refactored|refactoring|rename|renamed|renaming|remove|removed|removing|delete|deleted|deleting|touching|update|updated|updating|a change to|changes to|a change in|changes in|rewrite|rewritten|touched",
    ),
    (
        "verb.return",
        "return|returns|returning|return a|that return|returned|give back|gives back|yields|produce|produces",
    ),
    ("verb.take", "take|takes|taking|accept|accepts|accepting|receive|receives|receiving|expect|expects|get passed"),
    ("verb.decorate", "decorate|decorates|decorating|annotates|annotate"),
    (
        "verb.decorate.ed",
        "decorated|annotated|decorated with|decorated by|annotated with|marked with|wrapped with|tagged with|marked as|marked|decorated using|wrapped in|wrapped by",
    ),
    (
        "verb.about",
        "related to|relating to|dealing with|deal with|deals with|handle|handles|handling|responsible for|concerning|having to do with|associated with|concerned with|regarding|that concern",
    ),
    // Nouns that name one side of a relation.
    (
        "noun.call.agent",
        "caller|callers|call site|call sites|callsite|callsites|calls to|invocations of|invocation of|invocations|call to|invoker|invokers|calls of|call locations|call location|who-calls|direct callers|all calls to|calling functions|calling function|calling methods",
    ),
    (
        "noun.call.patient",
        "callee|callees|calls made by|calls from|calls made in|calls made from|outgoing calls|calls in|called functions|called methods|outgoing calls of|outgoing calls from|calls inside",
    ),
    ("noun.import.agent", "importer|importers|importing files|importing modules|imports of this"),
    (
        "noun.import.patient",
        "imports of|imports in|import statements in|import statements of|import list of|imported modules|import statements|imports for|imports made by|modules imported by",
    ),
    (
        "noun.inherit.agent",
        "subclass of|subclasses|subclasses of|child class|child classes|children|child|derived class|derived classes|subtype|subtypes|inheritor|inheritors|sub-classes|sub classes|sub class|direct subclasses|immediate subclasses|extensions of|specializations",
    ),
    (
        "noun.inherit.patient",
        "superclass|superclasses|super class|super classes|parent|parents|parent class|parent classes|base|bases|base class|base classes|supertype|supertypes|base type|base types|parent type|direct superclass|direct superclasses|immediate parent",
    ),
    (
        "noun.inherit.agent.deep",
        "descendant|descendants|descendant classes|all subclasses|all subclasses of|all descendants|inheritance tree below|every subclass|every subclass of|transitive subclasses|indirect subclasses|all derived classes|all child classes",
    ),
    (
        "noun.inherit.patient.deep",
        "ancestor|ancestors|ancestor classes|all superclasses|all base classes|all parents|all ancestors|inheritance chain|inheritance chain of|inheritance hierarchy|class hierarchy|all parent classes|mro|transitive superclasses|lineage|full inheritance chain",
    ),
    (
        "noun.implement.agent",
        "implementation|implementations|implementer|implementers|implementor|implementors|implementing class|implementing classes|implementing types|implementations of|implementers of",
    ),
    ("noun.override.agent", "overrides of|overriding methods|overriding method|override of|overrides for|overriders"),
    (
        "noun.use.agent",
        "usage|usages|reference to|references to|uses of|use of|users|user of|users of|usages of|use sites|consumer|consumers|consumers of|occurrence|occurrences|references of|all references|clients of|usage sites|clients",
    ),
    (
        "noun.depend.agent",
        "dependent|dependents|dependants|reverse dependencies|reverse dependency|incoming dependencies|things that depend on",
    ),
    ("noun.depend.patient", "dependency|dependencies|outgoing dependencies|direct dependencies|requirements"),
    ("noun.create.agent", "instantiations of|instances of|instantiation of|instantiations|instantiation sites"),
    (
        "noun.affect.agent",
        "impact of|blast radius|blast radius of|effect of|effects of|ripple effect of|ripple effects of|consequences of|side effects of|fallout",
    ),
    (
        "noun.path",
        "path|paths|call path|call paths|call chain|call chains|route|routes|chain|chain of calls|chains of calls|shortest path|shortest call path|shortest call chain|shortest chain|call route|sequence of calls|series of calls|connection|call flow|control flow|calling path|execution path|call sequence|shortest route|calling chain",
    ),
    // Properties.
    (
        "name",
        "name|names|identifier|identifiers|function name|function names|class name|class names|method name|method names|file name|file names|filename|filenames",
    ),
    (
        "docstring",
        "docstring|docstrings|doc string|doc strings|documentation|doc comment|doc comments|docs|doc|documentation comment|documentation comments|javadoc|jsdoc|doc-comment|comment|comments|api docs",
    ),
    ("decorator", "decorator|decorators|annotation|annotations|decorator named|decorator called"),
    (
        "parameter",
        "parameter|parameters|argument|arguments|param|params|arg|args|input parameter|parameter named|parameter called|argument named|argument called|parameters named|arguments named|input|inputs|parameter of type|argument of type|parameters of type|arguments of type|a parameter of type|param named|param called|parameter list|as parameter|as a parameter|as an argument|as argument|as parameters|as arguments|as input|as its argument|as its parameter",
    ),
    (
        "returntype",
        "return type|return types|return value|return values|result type|returned type|return annotation|return type annotation|return type of|returning type|returns type|returns a value of type|return type is",
    ),
    (
        "lines",
        "line|lines|loc|lines of code|lines long|line count|lines in length|size|length|code lines|number of lines|body|lines in size|code size|lines of source",
    ),
    ("times", "times|time|places|different places|distinct places|call sites each"),
    // Tests on names.
    (
        "nametest.contains",
        "containing the word|containing the string|containing the text|contains the word|contain the word|include the word|including the word|with the word|containing the substring|contains the string|contain the string|contains the substring|that mention|mentioning|matching the word|includes the word|having the word|with the substring|with the string",
    ),
    (
        "nametest.starts",
        "starting with|starts with|start with|beginning with|begins with|begin with|prefixed with|prefixed by|prefix|with prefix|with the prefix|that start with|that begin with|started with",
    ),
    (
        "nametest.ends",
        "ending with|ends with|end with|ending in|ends in|end in|suffixed with|suffixed by|suffix|with suffix|with the suffix|that end with|that end in",
    ),
    (
        "nametest.matches",
        "matching|matches|match|like|similar to|look like|looks like|matching the pattern|match the pattern|matches the pattern|of the form|matching pattern|following the pattern|that look like|following the naming pattern|resembling",
    ),
    (
        "nametest.regex",
        "matching the regex|matching regex|match the regex|matches the regex|matching the regular expression|match the regular expression|matches regex|match regex|matches the regular expression|regex|regular expression|regexp",
    ),
    (
        "nametest.exact",
        "named|name is|names are|that is named|with the name|with name|that are named|by the name of|by the name|going by the name|whose name is|whose names are|name equal to|name equals|titled|exactly named|is named|are named|of the name|known as",
    ),
    // Order, size and number.
    (
        "rank.most",
        "most|the most|most often|most frequently|highest number of|highest|greatest number of|largest number of|the largest number of|the highest number of|biggest number of|greatest|max|maximum|maximum number of|more than any other|most heavily|most commonly|most widely|the most times|most times",
    ),
    (
        "rank.least",
        "least|fewest|the fewest|the least|lowest number of|smallest number of|least often|minimum|lowest|rarely|least frequently|the smallest number of",
    ),
    ("rank.longest", "longest|lengthiest|longest running"),
    ("rank.shortest", "shortest"),
    ("rank.largest", "largest|biggest|hugest|heaviest|big|large|huge|fattest|bulkiest"),
    ("rank.smallest", "smallest|tiniest|littlest"),
    (
        "rank.complex",
        "most complex|most complicated|complex|complicated|complexity|highest complexity|hardest to understand|god|most bloated",
    ),
    (
        "compare.more",
        "more than|over|greater than|above|exceeding|exceeds|exceed|bigger than|larger than|in excess of|>|more",
    ),
    ("compare.longer", "longer than|longer"),
    ("compare.shorter", "shorter than|smaller than|shorter"),
    ("compare.less", "less than|fewer than|below the|lower than|<|no more"),
    (
        "compare.atleast",
        "at least|minimum of|no fewer than|not less than|no less than|>=|a minimum of|or more|at a minimum",
    ),
    ("compare.atmost", "at most|no more than|maximum of|not more than|<=|or fewer|or less|a maximum of"),
    ("compare.exactly", "exact|precisely"),
    (
        "sort",
        "sorted|ordered|ranked|sort|order|sorted by|ordered by|ranked by|order by|sort by|rank|rank by|in order of|in terms of|measured by|judged by|based on the number of",
    ),
    (
        "descending",
        "descending|in descending order|descending order|from largest to smallest|largest first|from most to least",
    ),
    (
        "ascending",
        "ascending|in ascending order|ascending order|smallest first|alphabetically|in alphabetical order|by name alphabetically",
    ),
    ("number.1", "one|single"),
    ("number.2", "two|twice"),
    ("number.3", "three"),
    ("number.4", "four"),
    ("number.5", "five"),
    ("number.6", "six"),
    ("number.7", "seven"),
    ("number.8", "eight"),
    ("number.9", "nine"),
    ("number.10", "ten|a dozen or so"),
    ("number.20", "twenty"),
    // How far a relation is followed.
    (
        "deep",
        "transitively|transitive|indirectly|indirect|directly or indirectly|directly and indirectly|recursively|eventually|ultimately|deeply|all the way|at any depth|any depth|to any depth|full|transitive closure|in the end|direct or indirect|direct and indirect|down the line|downstream|upstream|somewhere down the line|either directly or indirectly|both directly and indirectly|whole tree of",
    ),
    ("direct", "directly|direct|immediately|immediate|in one step|first-level"),
    (
        "depth",
        "depth|depth of|to depth|up to depth|with depth|a depth of|to a depth of|up to a depth of|max depth|maximum depth|at depth|within depth|to level|down to level",
    ),
    (
        "hops",
        "hop|hops|level|levels|step|steps|levels deep|level deep|layers|layer|degrees|hops away|levels away|steps away|call levels|levels of calls|levels down|levels up|calls deep|calls away|levels of depth|generations|generation",
    ),
    (
        "acrossfiles",
        "across files|across file boundaries|from other files|in other files|from another file|in another file|in different files|from different files|cross-file|cross file|from outside its file|from outside its own file|outside its file|outside its own file|across modules|from other modules|in other modules|of other files|outside of its file|outside of its own file|across module boundaries|from a different file|in a different file",
    ),
    // Traits of definitions.
    ("trait.async", "async|asynchronous|awaitable|coroutine|coroutines"),
    ("trait.static", "static|staticmethod|static methods only"),
    ("trait.abstract", "abstract|pure virtual"),
    ("trait.public", "public"),
    ("trait.private", "private|internal|hidden"),
    ("trait.protected", "protected"),
    ("trait.exported", "exported"),
    ("trait.property", "property|properties|getter|getters|property getter|property getters"),
    ("trait.classmethod", "classmethod|classmethods|class method|class methods"),
    (
        "trait.anonymous",
        "anonymous|lambda|lambdas|unnamed|closure|closures|anonymous function|anonymous functions|lambda function|lambda functions",
    ),
    ("trait.nested", "nested|inner|local|nested functions|inner functions"),
    ("trait.toplevel", "top-level|top level|module-level|module level|toplevel"),
    ("trait.dunder", "dunder|magic|special|double underscore"),
    ("trait.final", "final|sealed"),
    ("trait.const", "const"),
    ("trait.documented", "documented"),
    ("trait.undocumented", "undocumented|un-documented"),
    ("trait.typed", "typed|type-annotated|with type hints|with type annotations|type-hinted"),
    // Questions of their own.
    (
        "special.unused",
        "unused|dead|dead code|uncalled|unreferenced|orphan|orphaned|orphans|unreachable|not used anywhere|never used anywhere|obsolete|unneeded|uninvoked|candidates for removal|safe to delete|safe to remove",
    ),
    (
        "special.recursive",
        "recursive|recursion|self-recursive|self recursive|directly recursive|self-calling|self-referential",
    ),
    (
        "special.mutual",
        "mutually recursive|mutual recursion|call each other|calls each other|calling each other|call one another|call cycle|call cycles|cycles in the call graph|cycle in the call graph|circular calls|circular call chains|recursive cycles|call graph cycles|cyclic calls|indirectly recursive|indirect recursion|call loops|circular call chain|cyclic call chains",
    ),
    (
        "special.cycle",
        "circular import|circular imports|import cycle|import cycles|cyclic import|cyclic imports|circular dependency|circular dependencies|dependency cycle|dependency cycles|cyclic dependency|cyclic dependencies|import each other|imports each other|import one another|import loop|import loops|circularly import|cycle|cycles|cyclic|circular|importing each other|mutually importing|depend on each other",
    ),
    (
        "special.entry",
        "entry point|entry points|entrypoint|entrypoints|main entry point|main function|main functions|starting point|starting points|program start|main program|execution starts|execution start|program starts|execution begin|execution begins|start executing|main method|main methods|startup code|where does execution start|main entry points|application entry point",
    ),
];
